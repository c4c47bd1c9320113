/* An interpreter's loop over bytecode, with a stack of references; each number is an object.
 * sizes: 100 12 4 */
#include "managed.h"

enum op { PUSH, LOAD, STORE, ADD, SUB, MUL, LESS, JUMP_IF, CALL, RETURN, HALT };

struct number {
    uint64_t header;
    int64_t value;
};

struct code {
    uint64_t header;
    int32_t op[];
};

struct machine {
    uint64_t header;
    struct array REF *stack, *locals;
    struct code REF *code;
};

static inline struct number REF *number(int64_t value) {
    struct number REF *n = NEW(number, 0);
    n->value = value;
    return n;
}

static inline int64_t value_of(object o) {
    return ((struct number REF *)o)->value;
}

static NOINLINE int64_t interpret(struct machine REF *m) {
    struct array REF *stack = m->stack;
    struct array REF *locals = m->locals;
    struct code REF *code = m->code;
    struct number REF *made;
    int64_t sp = 0, a, b;
    for (int64_t pc = 0;; pc += 2) {
        int64_t operand = code->op[pc + 1];
        switch (code->op[pc]) {
        case PUSH:
            made = number(operand);
            stack->item[sp++] = made;
            break;
        case LOAD:
            stack->item[sp++] = locals->item[operand];
            break;
        case STORE:
            locals->item[operand] = stack->item[--sp];
            break;
        case ADD:
            b = value_of(stack->item[--sp]);
            a = value_of(stack->item[--sp]);
            made = number(a + b);
            stack->item[sp++] = made;
            break;
        case SUB:
            b = value_of(stack->item[--sp]);
            a = value_of(stack->item[--sp]);
            made = number(a - b);
            stack->item[sp++] = made;
            break;
        case MUL:
            b = value_of(stack->item[--sp]);
            a = value_of(stack->item[--sp]);
            made = number(a * b);
            stack->item[sp++] = made;
            break;
        case LESS:
            b = value_of(stack->item[--sp]);
            a = value_of(stack->item[--sp]);
            made = number(a < b);
            stack->item[sp++] = made;
            break;
        case JUMP_IF:
            if (value_of(stack->item[--sp]))
                pc = operand - 2;
            break;
        default:
            return value_of(locals->item[0]);
        }
    }
}

/* sum = 0; i = 0; do { j = 0; do { sum = sum + i * j - 3; j = j + 1; } while (j < n); i = i + 1; } while (i < n); */
static const int32_t program[] = {PUSH, 0, STORE, 0, PUSH, 0, STORE, 1, PUSH, 0, STORE,   2,  LOAD, 0, LOAD, 1,
                                  LOAD, 2, MUL,   0, ADD,  0, PUSH,  3, SUB,  0, STORE,   0,  LOAD, 2, PUSH, 1,
                                  ADD,  0, STORE, 2, LOAD, 2, LOAD,  3, LESS, 0, JUMP_IF, 12, LOAD, 1, PUSH, 1,
                                  ADD,  0, STORE, 1, LOAD, 1, LOAD,  3, LESS, 0, JUMP_IF, 8,  HALT, 0};

int64_t run(int64_t n) {
    enum { OPS = sizeof program / sizeof *program };
    struct machine REF *m = NEW(machine, 3);
    m->stack = new_array(8);
    m->locals = new_array(4);
    m->code = (struct code REF *)allocate(0, (sizeof(struct code) + OPS * sizeof(int32_t) + 7) & ~(uint64_t)7);
    for (int64_t i = 0; i < OPS; i++)
        m->code->op[i] = program[i];
    struct number REF *limit = number(n);
    int64_t sum = 0;
    for (int64_t i = 0; i < 10; i++) {
        m->locals->item[3] = limit;
        sum = sum * 3 + interpret(m);
    }
    return sum;
}
