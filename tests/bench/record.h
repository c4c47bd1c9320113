/* record.h - what was measured: printed as tables, and kept as JSON. */
#ifndef BENCH_RECORD_H
#define BENCH_RECORD_H

/* A table begins; TITLE says what its figures are. */
void record_table(const char *name, const char *title);

/* The cells of a row, in order; record_row ends it. The first row's names are the table's head. */
void record_text(const char *column, const char *text);
void record_number(const char *column, double v, int digits);
/* Median, least and most of N samples, which are sorted. */
void record_samples(const char *column, double *v, int n, int digits);
void record_row(void);

/* Writes all tables, with the machine and the versions, to a file. */
void record_save(const char *path);

#endif
