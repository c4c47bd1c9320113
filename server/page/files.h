/* files.h - the page's files, as bundle.cmake writes them: compressed with gzip. */
#ifndef SMD_PAGE_FILES_H
#define SMD_PAGE_FILES_H

#include <stddef.h>

struct page_bytes {
    const char *path; /* below /page/ */
    const char *type; /* media type */
    const char *etag; /* with its quotes */
    const unsigned char *gzip;
    size_t len;
};

extern const struct page_bytes
    page_files[]; /* up to a row without a path: nothing else in a build without the page */

#endif
