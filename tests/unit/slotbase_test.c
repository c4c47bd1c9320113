/* Which register a gcroot slot's offset counts from, by the function's code. */
#include "slotbase.h"
#include "stackmap.h"

#include <criterion/criterion.h>

enum { RBP = 6, RSP = 7, X29 = 29, SP = 31, UNKNOWN = SM_REGISTER_UNKNOWN };
#define DYNAMIC UINT64_MAX

static sm_frame_shape arm(const uint32_t *code, size_t count) {
    return sm_frame_shape_of(EM_AARCH64, (sm_slice){(const unsigned char *)code, count * 4});
}

#define ARM(...) arm((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static sm_frame_shape x86(const char *code, size_t len) {
    return sm_frame_shape_of(EM_X86_64, (sm_slice){(const unsigned char *)code, len});
}

Test(slotbase, below_the_frame_pointer) {
    sm_frame_shape any = {0};
    cr_assert_eq(sm_slot_base(EM_X86_64, &any, 24, -8, 8), RBP);
    cr_assert_eq(sm_slot_base(EM_X86_64, &any, DYNAMIC, -8, 8), RBP);
    cr_assert_eq(sm_slot_base(EM_AARCH64, &any, 32, -8, 8), X29);
}

Test(slotbase, without_code) {
    sm_frame_shape none = sm_frame_shape_of(EM_AARCH64, (sm_slice){0});
    cr_assert_eq(sm_slot_base(EM_X86_64, &none, 24, 8, 8), RSP, "x86-64's fixed frames have no other base");
    cr_assert_eq(sm_slot_base(EM_X86_64, &none, DYNAMIC, 8, 8), UNKNOWN);
    cr_assert_eq(sm_slot_base(EM_AARCH64, &none, 32, 8, 8), UNKNOWN);
}

Test(slotbase, x86_base_pointer) {
    sm_frame_shape plain = x86("\x55\x48\x89\xe5\xc3", 5), based = x86("\x55\x48\x89\xe5\x48\x89\xe3\xc3", 8);
    cr_assert_eq(sm_slot_base(EM_X86_64, &plain, DYNAMIC, 40, 8), RSP, "realigned only");
    cr_assert_eq(sm_slot_base(EM_X86_64, &based, DYNAMIC, 32, 8), UNKNOWN, "rsp or rbx");
    cr_assert_eq(sm_slot_base(EM_X86_64, &based, 56, 32, 8), RSP, "a fixed frame has no base pointer");
}

/* A frame that a signed offset does not span. */
Test(slotbase, large_frames) {
    sm_frame_shape plain = x86("\xc3", 1), framed = x86("\x55\x48\x89\xe5\xc3", 5), none = {0};
    cr_assert_not(sm_slot_is_unsigned(32760, 1));
    cr_assert(sm_slot_is_unsigned(32768, 1));
    cr_assert_not(sm_slot_is_unsigned(32768, 8), "an offset is in words");
    cr_assert_not(sm_slot_is_unsigned(DYNAMIC, 1));
    cr_assert_eq(sm_slot_base(EM_X86_64, &plain, 40000, 36000, 1), RSP);
    cr_assert_eq(sm_slot_base(EM_X86_64, &framed, 40000, 36000, 1), UNKNOWN, "rsp + 36000 or rbp - 29536");
    cr_assert_eq(sm_slot_base(EM_X86_64, &none, 40000, 36000, 1), UNKNOWN);
    cr_assert_eq(sm_slot_base(EM_X86_64, &framed, 40000, 8, 8), RSP);
    plain = ARM(0xd10083ff /* sub sp, sp, #32 */, 0xd65f03c0 /* ret */);
    framed = ARM(0xa9bf7bfd /* stp x29, x30, [sp, #-16]! */, 0x910003fd);
    cr_assert_eq(sm_slot_base(EM_AARCH64, &plain, 40000, 36000, 1), SP);
    cr_assert_eq(sm_slot_base(EM_AARCH64, &framed, 40000, 36000, 1), UNKNOWN);
}

Test(slotbase, arm_without_frame_pointer) {
    sm_frame_shape s =
        ARM(0xd10083ff /* sub sp, sp, #32 */, 0xf9000bfe /* str x30, [sp, #16] */, 0xd65f03c0 /* ret */);
    cr_assert(s.known && s.above == 0 && !s.base_pointer);
    cr_assert_eq(sm_slot_base(EM_AARCH64, &s, 32, 8, 8), SP);
    cr_assert_eq(sm_slot_base(EM_AARCH64, &s, 32, 24, 8), SP);
}

Test(slotbase, arm_frame_pointer_without_gap) {
    sm_frame_shape s = ARM(0xd10083ff /* sub sp, sp, #32 */, 0xa9017bfd /* stp x29, x30, [sp, #16] */,
                           0x910043fd /* add x29, sp, #16 */);
    cr_assert_eq(s.above, 16);
    cr_assert_eq(sm_slot_base(EM_AARCH64, &s, 32, 8, 8), SP);
    s = ARM(0xa9be7bfd /* stp x29, x30, [sp, #-32]! */, 0xa9014ff4 /* stp x20, x19, [sp, #16] */,
            0x910003fd /* mov x29, sp */, 0xd14007ff /* sub sp, sp, #1, lsl #12 */);
    cr_assert_eq(s.above, 32, "what is taken after the frame pointer is set is below it");
    cr_assert_eq(sm_slot_base(EM_AARCH64, &s, 4128, 16, 8), SP);
    cr_assert_eq(sm_slot_base(EM_AARCH64, &s, 4128, 32, 8), SP);
}

/* x19 is saved alone: the gap is at x29 + 24. */
Test(slotbase, arm_gap) {
    sm_frame_shape s = ARM(0xd10183ff /* sub sp, sp, #96 */, 0xa9047bfd /* stp x29, x30, [sp, #64] */,
                           0xf9002bf3 /* str x19, [sp, #80] */, 0x910103fd /* add x29, sp, #64 */);
    cr_assert_eq(s.above, 32);
    cr_assert_eq(sm_slot_base(EM_AARCH64, &s, 96, 24, 8), UNKNOWN, "it may as well be sp + 24");
    cr_assert_eq(sm_slot_base(EM_AARCH64, &s, 48, 24, 8), X29, "sp + 24 would be above the frame pointer");
    cr_assert_eq(sm_slot_base(EM_AARCH64, &s, 96, 16, 8), SP);
    cr_assert_eq(sm_slot_base(EM_AARCH64, &s, DYNAMIC, 24, 8), UNKNOWN);
}

/* d8 and x19: the one fills the other's gap. */
Test(slotbase, arm_gap_that_is_filled) {
    sm_frame_shape s = ARM(0xd100c3ff /* sub sp, sp, #48 */, 0xfd000be8 /* str d8, [sp, #16] */,
                           0xa901fbfd /* stp x29, x30, [sp, #24] */, 0x910063fd /* add x29, sp, #24 */);
    cr_assert_eq(s.above, 24);
    cr_assert_eq(sm_slot_base(EM_AARCH64, &s, 48, 24, 8), SP);
}

Test(slotbase, arm_pushes_of_every_form) {
    sm_frame_shape s = ARM(0x6dbe23e9 /* stp d9, d8, [sp, #-32]! */, 0xf81f0ff3 /* str x19, [sp, #-16]! */,
                           0xfc1f0fe8 /* str d8, [sp, #-16]! */, 0xa9be7bfd /* stp x29, x30, [sp, #-32]! */,
                           0xa8c17bfd /* ldp x29, x30, [sp], #16: no push */, 0x910043fd /* add x29, sp, #16 */);
    cr_assert_eq(s.above, 32 + 16 + 16 + 32 - 16);
}

Test(slotbase, arm_base_pointer) {
    sm_frame_shape s = ARM(0xa9be7bfd, 0x910003fd, 0x910003f3 /* mov x19, sp */);
    cr_assert(s.base_pointer);
    cr_assert_eq(sm_slot_base(EM_AARCH64, &s, DYNAMIC, 40, 8), UNKNOWN);
    s = ARM(0xa9bf7bfd /* stp x29, x30, [sp, #-16]! */, 0x910003fd);
    cr_assert_eq(sm_slot_base(EM_AARCH64, &s, DYNAMIC, 40, 8), SP, "realigned only");
}
