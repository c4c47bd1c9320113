/* inputs.h - the modules that programs of this folder compile: files, and the modules in one file. */
#ifndef GOLDEN_INPUTS_H
#define GOLDEN_INPUTS_H

#include <stddef.h>

/* Adds all *.ll in the folder and those below. 0 if it cannot be read. */
int inputs_add(const char *folder);

/* Adds those of the project. Ends the process if one is missing. */
void inputs_add_own(void);

/* All files that were added, by name. Borrowed; *COUNT of them. */
char *const *inputs(size_t *count);

/* The file's name in the project, or as it is. */
const char *input_name(const char *path);

/* 1 if the text has several modules, as files of tests/compiler may have. */
int input_is_several(const char *text, size_t len);

/* Calls VISIT with each module of the text: what stands before the first is a part of each. */
typedef void input_visitor(void *arg, const char *module, size_t len, int number);
void input_each(const char *text, size_t len, input_visitor *visit, void *arg);

#endif
