/* page.h - the page that a browser gets at /, the dashboard, and the files that they are made of.
 *
 * The sources are in src/. bundle.cmake has esbuild join them with CodeMirror, compresses what comes out, and writes
 * it as a C file: the daemon serves these bytes from its own memory, and the page asks no other host for anything.
 * Where esbuild or CodeMirror is missing the daemon is built without the page, and says so at /.
 */
#ifndef SMD_PAGE_H
#define SMD_PAGE_H

#include "request.h"

/* GET /: the page for who prefers HTML, otherwise the interface in a few lines of text. */
int page_index(struct request *r);

/* GET /page/…: the page's files. */
int page_file(struct request *r);

/* GET /dashboard: what /metrics says, drawn. */
int page_dashboard(struct request *r);

#endif
