/* root_polls.h - polls in functions with llvm.gcroot: of shadow-stack, erlang, ocaml and of libraries. */
#ifndef CORE_ROOTPOLLS_H
#define CORE_ROOTPOLLS_H

#endif
