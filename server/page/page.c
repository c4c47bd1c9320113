/* page.c - see page.h. */
#include "page.h"

#include "accept.h"
#include "files.h"
#include "problem.h"

#include <string.h>
#include <zlib.h>

enum { FILE_MAX = 16 << 20 }; /* bytes of a file that is sent unpacked */

/* Nothing but this daemon's own files, and no frame around them. */
static const char policy[] = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                             "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

static const char text[] =
    "smd: a compilation service for garbage-collected languages\n\n"
    "  POST /v1/compile        LLVM IR or bitcode in; object code and decoded stackmap out\n"
    "  POST /v1/stackmap       an object file in; its stackmap decoded out\n"
    "  GET  /v1/artifacts/KEY  what was compiled before; POST /v1/artifacts/find-missing\n"
    "  GET  /v1/stream         all that was compiled with startup=NAME, in one answer\n"
    "  GET  /v1/manifest       the keys that were used; GET /v1/modules/KEY\n"
    "  GET  /v1/slowest        the compiles that have taken longest in the last hour\n"
    "  GET  /v1/history        what /metrics has said in the last hour\n"
    "  POST /v1/batch          many modules at once\n"
    "  POST /v1/jobs           as compile, without waiting; GET and DELETE /v1/jobs/ID\n"
    "  GET  /v1/dead-jobs      jobs that were given up; POST /v1/dead-jobs/ID runs one again\n"
    "  GET  /v1/capabilities   compiler, targets, GC strategies, options, limits\n"
    "  GET  /openapi.yaml      the whole interface\n"
    "  GET  /livez /readyz /metrics\n"
    "  GET  /dashboard         the last hour and now, as plots\n\n"
    "  curl --data-binary @f.ll 'http://HOST/v1/compile?target=aarch64-linux-gnu&opt=2'\n"
    "  curl -H 'Accept: text/plain' --data-binary @f.ll http://HOST/v1/compile\n"
    "  curl --fail-with-body -H 'Accept: application/octet-stream' -o f.o --data-binary @f.ll \\\n"
    "      http://HOST/v1/compile\n";
static const char with_page[] = "\nOpen this address in a browser: a page shows what becomes of a module.\n";
static const char without_page[] = "\nThis daemon was built without the page that a browser would get here: esbuild "
                                   "or CodeMirror was missing (Debian's\n"
                                   "packages esbuild and libjs-codemirror). Everything else works.\n";

/* The page's file of this name; NULL if there is none. */
static const struct page_bytes *find_file(const char *path) {
    for (const struct page_bytes *f = page_files; f->path; f++)
        if (strcmp(f->path, path) == 0)
            return f;
    return NULL;
}

/* Appends the file's decompressed bytes to OUT. 0 on failure. */
static int unpack(const struct page_bytes *f, sm_buf *out) {
    unsigned char block[16384];
    z_stream z = {.next_in = (unsigned char *)f->gzip, .avail_in = (unsigned)f->len};
    int status = inflateInit2(&z, 15 + 16); /* 16: a gzip header */
    while (status == Z_OK && out->status == SM_OK && out->len < FILE_MAX) {
        z.next_out = block;
        z.avail_out = sizeof block;
        status = inflate(&z, Z_NO_FLUSH);
        sm_buf_put(out, block, sizeof block - z.avail_out);
    }
    inflateEnd(&z);
    return status == Z_STREAM_END && out->status == SM_OK;
}

/* Fills the reply with a file of the page: 304 if the client has it, compressed if it accepts that. Gives 1. */
static int send_file(struct request *r, const struct page_bytes *f) {
    struct reply *reply = &r->reply;
    const char *known = request_header(r, "If-None-Match");
    reply_header(reply, "ETag", "%s", f->etag);
    reply_header(reply, "Cache-Control", "no-cache"); /* keep it, and ask whether it is still the same */
    reply_header(reply, "Vary", "Accept, Accept-Encoding");
    reply_header(reply, "Content-Security-Policy", "%s", policy);
    reply_header(reply, "X-Content-Type-Options", "nosniff");
    reply_header(reply, "Referrer-Policy", "no-referrer");
    reply_header(reply, "Cross-Origin-Opener-Policy", "same-origin");
    if (known && strstr(known, f->etag)) {
        reply_static(reply, f->type, "", 0);
        reply->http = 304;
    } else if (accept_takes(request_header(r, "Accept-Encoding"), CODING_GZIP)) {
        reply->coding = coding_names[CODING_GZIP];
        reply_static(reply, f->type, (const char *)f->gzip, f->len);
    } else if (unpack(f, &reply->text)) {
        reply_text(reply, f->type);
    } else {
        problem_reply(r, SM_NOMEM, "Out of memory", (sm_slice){0}, NULL);
    }
    return 1;
}

/* Fills the reply with the plain text of the interface. Gives 1. */
static int send_text(struct request *r) {
    int there = find_file("index.html") != NULL;
    sm_buf_puts(&r->reply.text, text);
    sm_buf_puts(&r->reply.text, there ? with_page : without_page);
    reply_header(&r->reply, "Vary", "Accept");
    reply_text(&r->reply, "text/plain; charset=utf-8");
    return 1;
}

int page_index(struct request *r) {
    static const char *const offers[] = {"text/plain", "text/html", NULL};
    const struct page_bytes *index = find_file("index.html");
    if (index && accept_choose(request_header(r, "Accept"), offers) == 1)
        return send_file(r, index);
    return send_text(r);
}

int page_file(struct request *r) {
    const struct page_bytes *f = find_file(r->path + strlen("/page/"));
    if (f)
        return send_file(r, f);
    problem_reply(r, SM_NOT_FOUND, "The page has no such file", (sm_slice){0}, NULL);
    return 1;
}

int page_dashboard(struct request *r) {
    const struct page_bytes *f = find_file("dashboard.html");
    return f ? send_file(r, f) : send_text(r);
}
