/* embedded.S - see embedded.h. */
    .section .rodata
    .globl openapi_yaml
    .globl openapi_yaml_len
    .hidden openapi_yaml
    .hidden openapi_yaml_len
openapi_yaml:
    .incbin OPENAPI_PATH
1:
    .balign 8
openapi_yaml_len:
    .quad 1b - openapi_yaml
    .section .note.GNU-stack,"",%progbits
