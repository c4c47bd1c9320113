/* proto.h - the map of smproto, what the daemon, the worker and the client agree on.
 *
 *   status.h          one table: every status code, its wire name, its HTTP status, its text
 *   clock.h           time that only goes forward
 *   buf.h             a bounded, growing buffer with typed put; a cursor with typed get
 *   utf8.h            which bytes are UTF-8
 *   jsontext.h        a text as a JSON string
 *   base64.h          bytes inside JSON
 *   digest.h          SHA-256
 *   frame.h           the frames between smd, its fork server and its workers
 *   options.h         the table of compile options: parse, canonical text, capabilities
 *   barrier.h         the option barrier taken apart
 *   profile.h         strategies described in files, as text (profile.schema.json)
 *   key.h             the key of a compile, that client and server compute alike
 *   kept.h            objects of a module's parts, for a later compile
 *   artifact.h        the binary artifact: what one compile gave, with its digest
 *   elffile.h         a bounds-checked reader of ELF64 files
 *   elfjoin.h         the objects of a module's parts -> the object of the module (elfjoin_parts.h: elfjoin_run.c, its steps;
 *                     elfjoin_sections.c, which sections become one; elfjoin_symbols.c, its symbols; elfjoin_maps.c, its tables;
 *                     elfjoin_write.c, the file)
 *   places.h          which function or datum is where in an ELF file, and where its address fields point
 *   stackmap.h        a stackmap as structs: of LLVM's sections (stackmap_llvm.c), of a whole object (stackmap_object.c);
 *                     statepoint.c: statepoint records split into their parts; target_names.c: what calling conventions and
 *                     registers are called
 *   facts.h           what records say of their regions beside places: fields, types, tags, pins
 *   stackmap_names.h  names, sections and sizes of a stackmap's functions
 *   gcmap.h           the gcroot strategies' tables (shadow-stack: framemap.h; erlang, ocaml: slotbase.h) -> the same
 *                     structs, grown by stackmap_build.h
 *   compact.h         the same structs <-> the section .smd_maps, a few bytes a safepoint (compact_format.h: its numbers;
 *                     compact_write.c, compact_read.c, compact_object.c)
 *   gcmap_object.h    the same structs -> __gcmap_<function> tables in an object; layout.h: objects laid out anew
 *   faultmap.h        implicit null checks, into the same structs
 *   stackmap_json.h   those structs -> the JSON of stackmap.schema.json
 *   pagepoll.h        page polls: a load over the room that LLVM left for it
 *   explain.h         those structs -> text for a person
 *
 * Nothing in here starts a thread, prints, or ends the process; only sm_buf_read_file opens a file. A function that
 * can fail for several reasons returns an sm_status. Bytes from outside are checked as they are read. Little endian
 * on every wire.
 */
#ifndef SM_PROTO_H
#define SM_PROTO_H

#include "artifact.h"
#include "barrier.h"
#include "buf.h"
#include "compact.h"
#include "elffile.h"
#include "elfjoin.h"
#include "explain.h"
#include "facts.h"
#include "frame.h"
#include "gcmap.h"
#include "kept.h"
#include "key.h"
#include "options.h"
#include "pagepoll.h"
#include "profile.h"
#include "stackmap.h"
#include "stackmap_json.h"
#include "status.h"

#endif
