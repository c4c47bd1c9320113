/* proto.h - the map of smproto, what the daemon, the worker and the client agree on.
 *
 * Each room is a folder, and a library that uses the rooms above it alone. The daemon links wire and options: it never
 * interprets what LLVM made.
 *
 * wire/ - bytes between processes: statuses, bounded buffers, frames, artifacts.
 *
 *   status.h           one table: every status code, its wire name, its HTTP status, its text
 *   clock.h            time that only goes forward
 *   utf8.h             which bytes are UTF-8
 *   buf.h              a bounded, growing buffer with typed put; a cursor with typed get
 *   jsontext.h         a text as a JSON string
 *   base64.h           bytes inside JSON
 *   hex.h              bytes as hexadecimal digits
 *   digest.h           SHA-256
 *   frame.h            the frames between smd, its fork server and its workers
 *   artifact.h         the binary artifact: what one compile gave, with its digest
 *   bundle.h           many artifacts in one piece
 *   signature.h        an artifact is vouched for
 *   kept.h             objects of a module's parts, for a later compile
 *
 * options/ - what a client may ask for, and the key of its compile.
 *
 *   options.h          the table of compile options: parse, canonical text, capabilities
 *   scope.h            what a credential lets its holder do
 *   barrier.h          the option barrier, taken apart
 *   profile.h          strategies described in files (profile.schema.json)
 *   key.h              the key of a compile, which client and server compute alike
 *
 * elf/ - ELF64 object files: read with bounds, laid out anew.
 *
 *   elffile.h          a bounds-checked reader of ELF64 files
 *   places.h           which function or datum is where, and where its address fields point
 *   layout.h           an object whose sections are laid out anew
 *
 * stackmap/ - a stackmap as structs, from what LLVM writes, and what a record of it says.
 *
 *   stackmap.h         a stackmap as structs
 *   stackmap_llvm.c    LLVM's section .llvm_stackmaps, versions 1 to 3
 *   old_records.c      statepoints of versions 1 and 2, as those of version 3 are
 *   stackmap_build.h   the structs grow, within bounds
 *   stackmap_names.h   names, sections and sizes of a stackmap's functions
 *   statepoint.c       a statepoint's record split into its parts
 *   target_names.c     what calling conventions and registers are called
 *   deoptstate.h       deoptimisation state of frames that were inlined in one another
 *   facts.h            what records say of their regions beside places: fields, types, tags, pins
 *   faultmap.h         implicit null checks, into the same structs
 *   pagepoll.h         page polls: a load over the room that LLVM left for it
 *
 * compact/ - the section .smd_maps, a few bytes a safepoint.
 *
 *   compact.h          the structs <-> the section
 *   compact_read.c     the section -> structs
 *   compact_write.c    structs -> the section
 *   compact_object.c   an object's section in place of LLVM's
 *   compact_format.h   the numbers of the format
 *   stackmap_object.h  all tables of an object, LLVM's and these -> structs
 *
 * gcmap/ - the tables of shadow-stack, erlang and ocaml.
 *
 *   gcmap.h            the tables -> the same structs
 *   framemap.h         shadow-stack's frame maps
 *   slotbase.h         what the offsets of erlang's and ocaml's slots are counted from
 *   gcmap_object.h     the structs -> __gcmap_<function> tables in an object
 *
 * lines/ - where in the source an instruction comes from.
 *
 *   lines.h            lines and inlined calls of instructions, by an object's DWARF
 *   lines_of.c         sm_lines_of
 *   dwarf.h            what its files share: sections that are read, texts
 *   dwarf_entries.c    units, abbreviations, values
 *   dwarf_lines.c      line tables
 *   dwarf_scopes.c     functions, inlined or not
 *
 * render/ - the structs for programs and for people.
 *
 *   stackmap_json.h    the structs -> the JSON of stackmap.schema.json
 *   stackmap_lines.h   where in the source its safepoints come from, as structs and JSON
 *   explain.h          the structs -> text for a person
 *
 * join/ - the objects of a module's parts become the object of the module.
 *
 *   elfjoin.h          the one function
 *   elfjoin_parts.h    what the steps share
 *   elfjoin_run.c      the steps in order
 *   elfjoin_sections.c which sections become one
 *   elfjoin_symbols.c  the symbols
 *   elfjoin_maps.c     the tables
 *   elfjoin_write.c    the file
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
#include "deoptstate.h"
#include "elffile.h"
#include "elfjoin.h"
#include "explain.h"
#include "facts.h"
#include "frame.h"
#include "gcmap.h"
#include "kept.h"
#include "key.h"
#include "lines.h"
#include "options.h"
#include "pagepoll.h"
#include "profile.h"
#include "stackmap.h"
#include "stackmap_json.h"
#include "stackmap_lines.h"
#include "stackmap_object.h"
#include "status.h"

#endif
