; LLVM's parser makes zeros of types that have none, of what is in memory by chance.
; RUN:
; STATUS: parse_error
; ERROR: there is no zeroinitializer of it
; AT: zeroinitializer
;--- metadata
@g = global metadata zeroinitializer
;--- tiles
@g = global x86_amx zeroinitializer
