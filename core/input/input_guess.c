/* input_guess.c - inputs that are something else than a module: what they seem to be, and what their sender can do.
 *
 * What begins like a file of another format is not given to LLVM, whose words on it would help nobody. Text goes to
 * LLVM first, and what it looks like is a note on LLVM's error: a guess, which a module that parses never sees.
 */
#include "base.h"
#include "input.h"
#include "reading.h"

#include <stdlib.h>
#include <string.h>

struct beginning {
    const char *bytes;
    size_t len;
    const char *hint;
};

#define B(bytes) bytes, sizeof bytes - 1
#define COMPRESSED                                                                                                   \
    "; a compressed body needs the header Content-Encoding (gzip, deflate or zstd), anything else has to be "        \
    "unpacked first"
#define NEITHER ", neither a module nor an ELF object"
#define IR_OF_C "; clang-19 -S -emit-llvm makes IR of it"

/* No module begins with one of these. */
static const struct beginning formats[] = {
    {B("\177ELF"), "The input is an ELF file, not a module; POST /v1/stackmap decodes the stackmap of an object"},
    {B("\x1f\x8b"), "The input is compressed with gzip" COMPRESSED},
    {B("\x28\xb5\x2f\xfd"), "The input is compressed with zstd" COMPRESSED},
    {B("\xfd\x37zXZ"), "The input is compressed with xz" COMPRESSED},
    {B("BZh"), "The input is compressed with bzip2" COMPRESSED},
    {B("PK\x03\x04"), "The input is a zip archive" COMPRESSED},
    {B("!<arch>\n"), "The input is an archive; its members are to be sent one by one (ar x takes them out)"},
    {B("\xcf\xfa\xed\xfe"), "The input is a Mach-O object" NEITHER},
    {B("\xca\xfe\xba\xbe"), "The input is a Mach-O or Java class file" NEITHER},
    {B("MZ\x90"), "The input is a Windows program" NEITHER},
    {B("\0asm"), "The input is WebAssembly" NEITHER},
    {B("\xff\xfe\0\0"), "The input is text in UTF-32; modules are UTF-8"},
    {B("\xff\xfe"), "The input is text in UTF-16, as PowerShell's '>' writes it; modules are UTF-8"},
    {B("\xfe\xff"), "The input is text in UTF-16; modules are UTF-8"},
};

#define C_SOURCE    "This looks like C or C++" IR_OF_C
#define RUST_SOURCE "This looks like Rust; rustc --emit=llvm-ir makes IR of it"
#define ASSEMBLY    "This looks like assembly" IR_OF_C " (without -emit-llvm it writes assembly)"
#define JSON_FORM   "This looks like JSON; send it with Content-Type: application/json"
#define WEB_PAGE    "This looks like HTML or XML, perhaps a server's answer instead of the file"
#define NO_IR       "No module begins like this; one is what clang-19 -S -emit-llvm or llvm-dis-19 writes, or bitcode"
#define FORM                                                                                                         \
    "This looks like a field of a form; a module is the whole body (curl's --data-binary @FILE sends a file), or a " \
    "member of the JSON form"
#define DATA_BINARY "curl's -d takes line breaks out of a file, --data-binary keeps them"
#define MAYBE_CUT   "it may have been cut short"
#define MLIR        "This looks like MLIR; mlir-translate --mlir-to-llvmir makes IR of it"

/* No text of IR begins with one of these, white space aside. */
static const struct beginning texts[] = {
    {B("{"), JSON_FORM},
    {B("["), JSON_FORM},
    {B("ir="), FORM},
    {B("module="), FORM},
    {B("bitcode="), FORM},
    {B("input="), FORM},
    {B("--- |"), "This looks like MIR, which comes after IR"},
    {B("<"), WEB_PAGE},
    {B("#!["), RUST_SOURCE},
    {B("fn "), RUST_SOURCE},
    {B("pub "), RUST_SOURCE},
    {B("use "), RUST_SOURCE},
    {B("module {"), MLIR},
    {B("module @"), MLIR},
    {B("module attr"), MLIR},
    {B("func.func"), MLIR},
    {B("llvm.func"), MLIR},
    {B(".text"), ASSEMBLY},
    {B(".file"), ASSEMBLY},
    {B(".section"), ASSEMBLY},
    {B(".globl"), ASSEMBLY},
    {B(".intel_s"), ASSEMBLY},
    {B(".type"), ASSEMBLY},
    {B("#include"), C_SOURCE},
    {B("#define"), C_SOURCE},
    {B("#pragma"), C_SOURCE},
    {B("#if"), C_SOURCE},
    {B("//"), C_SOURCE},
    {B("/*"), C_SOURCE},
    {B("int "), C_SOURCE},
    {B("void "), C_SOURCE},
    {B("static "), C_SOURCE},
    {B("extern "), C_SOURCE},
    {B("typedef "), C_SOURCE},
    {B("struct "), C_SOURCE},
    {B("char "), C_SOURCE},
    {B("const "), C_SOURCE},
    {B("unsigned "), C_SOURCE},
    {B("long "), C_SOURCE},
    {B("double "), C_SOURCE},
    {B("template"), C_SOURCE},
    {B("namespace "), C_SOURCE},
    {B("using "), C_SOURCE},
    {B("enum "), C_SOURCE},
};

/* What a line of IR outside of functions begins with. */
static const char *const entities[] = {
    "define", "declare", "target", "source_filename", "attributes", "module", "uselistorder", "@", "%", "!",
    "$",      "^",       ";"};

#define LEAVE_OUT                                                                                                    \
    "it is a promise, which may be taken out of the text (by sed: opt-19 cannot read it either); IR from before "    \
    "the "                                                                                                           \
    "optimiser rarely has it (clang -Xclang -disable-llvm-passes, rustc -C no-prepopulate-passes)"
#define SANITISER "it is left out by compiling without that sanitizer"
#define OPERATION "it is an operation, for which LLVM 19 has no other word"

/* Words of IR that came after LLVM 19, with the version that brought them, and how to do without. */
static const struct newer {
    const char *word;
    int version;
    const char *way_back;
} newer[] = {{"samesign", 20, LEAVE_OUT},
             {"initializes(", 20, LEAVE_OUT},
             {"sanitize_type", 20, SANITISER},
             {"sanitize_realtime", 20, SANITISER},
             {"nodivergencesource", 20, LEAVE_OUT},
             {"usub_cond", 20, OPERATION},
             {"usub_sat", 20, OPERATION},
             {"captures(", 21, LEAVE_OUT},
             {"errnomem", 21, LEAVE_OUT},
             {"fmaximum", 21, OPERATION},
             {"dead_on_return", 22, LEAVE_OUT},
             {"ptrtoaddr", 22, OPERATION},
             {"nocreateundeforpoison", 22, LEAVE_OUT}};

/* The hint of the first row whose bytes the input begins with; NULL if there is none. */
static const char *find_beginning(const struct beginning *rows, size_t count, const char *p, size_t len) {
    for (size_t i = 0; i < count; i++)
        if (len >= rows[i].len && memcmp(p, rows[i].bytes, rows[i].len) == 0)
            return rows[i].hint;
    return NULL;
}

/* 1 if every other one of the first eight bytes is 0, as in ASCII text in UTF-16 without a mark. */
static int is_utf16(const char *p, size_t len) {
    enum { SEEN = 8 };
    int zeros[2] = {0, 0};
    for (size_t i = 0; len >= SEEN && i < SEEN; i++)
        zeros[i % 2] += p[i] == 0;
    return zeros[0] + zeros[1] == SEEN / 2 && (zeros[0] == 0 || zeros[1] == 0);
}

/* What the input seems to be, for people, if it is of a known format that is no module; NULL if it is not known. */
const char *foreign_format(const char *input, size_t len) {
    enum { TAR_MAGIC = 257 };
    if (is_utf16(input, len))
        return "The input is text in UTF-16; modules are UTF-8";
    if (len > TAR_MAGIC + 5 && memcmp(input + TAR_MAGIC, "ustar", 5) == 0)
        return "The input is a tar archive; its files are to be sent one by one";
    return find_beginning(formats, sizeof formats / sizeof *formats, input, len);
}

/* 1 if WORD is in the text. */
static int contains(const char *text, size_t len, const char *word) {
    return memmem(text, len, word, strlen(word)) != NULL;
}

/* What may have gone wrong with an input of one line: encoded as a form, a file's name, or line breaks lost; NULL if
 * there is no guess. HAS_BREAK: the input has a line break before or after it, so that none were lost. */
static const char *hint_of_line(const char *text, size_t len, int has_break) {
    if (contains(text, len, "%0A") || contains(text, len, "%20"))
        return "This is encoded as a form or an address; curl's --data-binary sends a file as it is";
    if (len < 4096 && !memchr(text, ' ', len) && !memchr(text, '=', len))
        return "This may be the name of a file; curl takes a file's content as --data-binary @FILE";
    if (has_break)
        return NULL;
    if (memchr(text, ';', len))
        return "The text is one line, and a comment ends with its line; " DATA_BINARY;
    if (memchr(text, '{', len))
        return "The text is one line; " DATA_BINARY;
    return NULL;
}

/* 1 if the text is empty or begins with a word that top-level IR begins with. */
static int begins_as_ir(const char *text, size_t len) {
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (len >= strlen(entities[i]) && memcmp(text, entities[i], strlen(entities[i])) == 0)
            return 1;
    return len == 0;
}

/* What a text that LLVM has rejected seems to be; NULL if it looks like IR. */
static const char *hint_of_text(const char *text, size_t len) {
    int has_break = !is_one_line(text, len);
    while (len && strchr(" \t\r\n", *text) && *text) {
        text++;
        len--;
    }
    const char *hint = find_beginning(texts, sizeof texts / sizeof *texts, text, len);
    while (len && strchr(" \t\r\n", text[len - 1]) && text[len - 1])
        len--;
    if (!hint && len && is_one_line(text, len))
        hint = hint_of_line(text, len, has_break);
    return hint ? hint : begins_as_ir(text, len) ? NULL : NO_IR;
}

/* The number after WORDS in the text, the version of the compiler that made it; 0 if they are not there. */
static int version_after(const char *text, size_t len, const char *words) {
    const char *at = memmem(text, len, words, strlen(words));
    char digits[8] = "";
    if (at) {
        size_t from = (size_t)(at - text) + strlen(words), n = len - from;
        memcpy(digits, text + from, n < sizeof digits ? n : sizeof digits - 1);
    }
    return atoi(digits);
}

/* The first word of the line at fault (NULL: unknown) that came after LLVM 19; NULL if there is none. */
static const struct newer *newer_word(const char *source) {
    for (size_t i = 0; source && i < sizeof newer / sizeof *newer; i++)
        if (strstr(source, newer[i].word))
            return &newer[i];
    return NULL;
}

/* Writes into NOTE of which newer LLVM a rejected module seems to be, and what its sender can do. MESSAGE is LLVM's,
 * which names the producer of bitcode; SOURCE is the line at fault, or NULL. 0 if it seems to be of no newer one. */
static int note_version(const char *text, size_t len, const char *message, const char *source, char *note,
                        size_t size) {
    unsigned ours, minor, patch;
    LLVMGetVersion(&ours, &minor, &patch);
    const struct newer *word = newer_word(source);
    int version = version_after(message, strlen(message), "Producer: 'LLVM");
    int is_bitcode_of_newer = version > (int)ours;
    if (!is_bitcode_of_newer)
        version = version_after(text, len, "!\"clang version ");
    if (word)
        snprintf(note, size, "'%.*s' is of LLVM %d, and this server has LLVM %u: %s", (int)strcspn(word->word, "("),
                 word->word, word->version, ours, word->way_back);
    else if (is_bitcode_of_newer)
        snprintf(note, size,
                 "The module seems to be of LLVM %d; this server has LLVM %u, which does not read all of that. "
                 "llvm-dis of LLVM %d makes text of it, whose errors name the line and the word",
                 version, ours, version);
    else
        snprintf(note, size,
                 "The module seems to be of LLVM %d; this server has LLVM %u, which does not read all of that",
                 version, ours);
    return word || version > (int)ours;
}

/* 1 if LLVM met the end of bitcode too early; it calls the signature wrong where the length is. */
static int is_cut_bitcode(const char *message) {
    static const char *const words[] = {"can't skip to bit", "nexpected end of file", "Invalid bitcode signature",
                                        "Expected a single module"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(message, words[i]))
            return 1;
    return 0;
}

/* 1 if LLVM met the end of the text too early: MESSAGE says so, or the place of the error is in the text's last word,
 * behind which there is no end of a line, or in an empty line, which has no word: LLVM was at the end. */
static int is_cut_text(const char *text, size_t len, const char *message, const char *source, int column) {
    size_t n = source ? strlen(source) : 0;
    if (strstr(message, "end of file") || (source && !n))
        return 1;
    if (!n || column < 1 || n > len || memcmp(text + len - n, source, n) != 0)
        return 0;
    const char *last = source + ((size_t)column - 1 < n ? (size_t)column - 1 : n);
    return *last == '"' || !last[strcspn(last, " \t")];
}

/* The comment in the text's last line, if that has no end; NULL if there is none. */
static const char *comment_at_end(const char *text, size_t len) {
    const char *at = len ? memrchr(text, '\n', len) : NULL;
    int is_quoted = 0;
    for (at = at ? at + 1 : text; !is_bitcode(text, len) && at < text + len; at++) {
        is_quoted ^= *at == '"';
        if (*at == ';' && !is_quoted)
            return at;
    }
    return NULL;
}

int ends_in_comment(const char *text, size_t len) {
    return comment_at_end(text, len) != NULL;
}

sm_status lost_lines_check(struct compile *c) {
    static const char *const words[] = {"define ", "declare ", "source_filename = ", "target triple = "};
    const char *comment = is_one_line(c->input, c->input_len) ? comment_at_end(c->input, c->input_len) : NULL;
    for (size_t i = 0; comment && i < sizeof words / sizeof *words; i++)
        if (contains(comment, (size_t)(c->input + c->input_len - comment), words[i]))
            return text_error(c, comment, "The rest of the module is inside a comment");
    return SM_OK;
}

/* What a rejected module seems to lack; NULL if it seems to be all there. Text of one line has other hints. */
static const char *hint_of_end(const char *text, size_t len, const char *message, const char *source, int column) {
    enum { HEAD = 64 }; /* bytes of bitcode, some of which are NUL */
    if (is_bitcode(text, len) && len > HEAD && !memchr(text, 0, HEAD))
        return "There is no NUL in this bitcode: curl's -d takes NULs and line breaks out of a file, --data-binary "
               "keeps them";
    if (ends_in_comment(text, len) && (strstr(message, "end of file") || strstr(message, "use of undefined")))
        return "The module ends inside a comment: " MAYBE_CUT;
    int is_cut = is_bitcode(text, len) ? is_cut_bitcode(message) : is_cut_text(text, len, message, source, column);
    return is_cut ? "The module ends too early: " MAYBE_CUT : NULL;
}

/* Adds a note to LLVM's error on the input: what it seems to be, or of which newer LLVM. MESSAGE is LLVM's, SOURCE
 * the line at fault or NULL, COLUMN the place in it. */
void foreign_note(struct compile *c, const char *text, size_t len, const char *message, const char *source,
                  int column) {
    char note[500];
    int is_binary = memchr(text, 0, len) || (len >= 2 && memcmp(text, "BC", 2) == 0);
    const char *hint = is_binary ? NULL : hint_of_text(text, len);
    if (!hint && note_version(text, len, message, source, note, sizeof note))
        hint = note;
    if (!hint)
        hint = hint_of_end(text, len, message, source, column);
    if (hint)
        diag_add(c, "note", NULL, hint);
}
