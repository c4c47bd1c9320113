/* none.c - the page's files of a build that has none. */
#include "files.h"

const struct page_bytes page_files[] = {{NULL, NULL, NULL, NULL, 0}};
