/* folder.h - a folder of the test's own, and commands that have to succeed. */
#ifndef TEST_FOLDER_H
#define TEST_FOLDER_H

extern char folder[64]; /* its path, while a test runs */

/* For TestSuite's .init and .fini. */
void folder_make(void);
void folder_remove(void);

/* The test fails if the shell command does. */
void succeeds(const char *command);

#endif
