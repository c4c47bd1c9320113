; Calls of C's mathematical functions: those that code generation turns into instructions, and those that it must not.
declare double @copysign(double, double)
define double @pure_copysign(double %a, double %b) {
  %y = call double @copysign(double %a, double %b) #0
  ret double %y
}
define double @forbidden_copysign(double %a, double %b) "no-builtin-copysign" {
  %y = call double @copysign(double %a, double %b) #0
  ret double %y
}
define double @no_builtin_copysign(double %a, double %b) {
  %y = call double @copysign(double %a, double %b) #1
  ret double %y
}
define double @sets_errno_copysign(double %a, double %b) {
  %y = call double @copysign(double %a, double %b)
  ret double %y
}
define double @perhaps_copysign(i1 %c, double %a, double %b) {
  br i1 %c, label %x, label %e
x:
  %y = call double @copysign(double %a, double %b) #2
  br label %e
e:
  %z = phi double [ %y, %x ], [ %a, %0 ]
  ret double %z
}
declare float @copysignf(float, float)
define float @pure_copysignf(float %a, float %b) {
  %y = call float @copysignf(float %a, float %b) #0
  ret float %y
}
define float @forbidden_copysignf(float %a, float %b) "no-builtin-copysignf" {
  %y = call float @copysignf(float %a, float %b) #0
  ret float %y
}
define float @no_builtin_copysignf(float %a, float %b) {
  %y = call float @copysignf(float %a, float %b) #1
  ret float %y
}
define float @sets_errno_copysignf(float %a, float %b) {
  %y = call float @copysignf(float %a, float %b)
  ret float %y
}
define float @perhaps_copysignf(i1 %c, float %a, float %b) {
  br i1 %c, label %x, label %e
x:
  %y = call float @copysignf(float %a, float %b) #2
  br label %e
e:
  %z = phi float [ %y, %x ], [ %a, %0 ]
  ret float %z
}
declare double @fabs(double)
define double @pure_fabs(double %a) {
  %y = call double @fabs(double %a) #0
  ret double %y
}
define double @forbidden_fabs(double %a) "no-builtin-fabs" {
  %y = call double @fabs(double %a) #0
  ret double %y
}
define double @no_builtin_fabs(double %a) {
  %y = call double @fabs(double %a) #1
  ret double %y
}
define double @sets_errno_fabs(double %a) {
  %y = call double @fabs(double %a)
  ret double %y
}
define double @perhaps_fabs(i1 %c, double %a) {
  br i1 %c, label %x, label %e
x:
  %y = call double @fabs(double %a) #2
  br label %e
e:
  %z = phi double [ %y, %x ], [ %a, %0 ]
  ret double %z
}
declare float @fabsf(float)
define float @pure_fabsf(float %a) {
  %y = call float @fabsf(float %a) #0
  ret float %y
}
define float @forbidden_fabsf(float %a) "no-builtin-fabsf" {
  %y = call float @fabsf(float %a) #0
  ret float %y
}
define float @no_builtin_fabsf(float %a) {
  %y = call float @fabsf(float %a) #1
  ret float %y
}
define float @sets_errno_fabsf(float %a) {
  %y = call float @fabsf(float %a)
  ret float %y
}
define float @perhaps_fabsf(i1 %c, float %a) {
  br i1 %c, label %x, label %e
x:
  %y = call float @fabsf(float %a) #2
  br label %e
e:
  %z = phi float [ %y, %x ], [ %a, %0 ]
  ret float %z
}
declare double @fmin(double, double)
define double @pure_fmin(double %a, double %b) {
  %y = call double @fmin(double %a, double %b) #0
  ret double %y
}
define double @forbidden_fmin(double %a, double %b) "no-builtin-fmin" {
  %y = call double @fmin(double %a, double %b) #0
  ret double %y
}
define double @no_builtin_fmin(double %a, double %b) {
  %y = call double @fmin(double %a, double %b) #1
  ret double %y
}
define double @sets_errno_fmin(double %a, double %b) {
  %y = call double @fmin(double %a, double %b)
  ret double %y
}
define double @perhaps_fmin(i1 %c, double %a, double %b) {
  br i1 %c, label %x, label %e
x:
  %y = call double @fmin(double %a, double %b) #2
  br label %e
e:
  %z = phi double [ %y, %x ], [ %a, %0 ]
  ret double %z
}
declare float @fminf(float, float)
define float @pure_fminf(float %a, float %b) {
  %y = call float @fminf(float %a, float %b) #0
  ret float %y
}
define float @forbidden_fminf(float %a, float %b) "no-builtin-fminf" {
  %y = call float @fminf(float %a, float %b) #0
  ret float %y
}
define float @no_builtin_fminf(float %a, float %b) {
  %y = call float @fminf(float %a, float %b) #1
  ret float %y
}
define float @sets_errno_fminf(float %a, float %b) {
  %y = call float @fminf(float %a, float %b)
  ret float %y
}
define float @perhaps_fminf(i1 %c, float %a, float %b) {
  br i1 %c, label %x, label %e
x:
  %y = call float @fminf(float %a, float %b) #2
  br label %e
e:
  %z = phi float [ %y, %x ], [ %a, %0 ]
  ret float %z
}
declare double @fmax(double, double)
define double @pure_fmax(double %a, double %b) {
  %y = call double @fmax(double %a, double %b) #0
  ret double %y
}
define double @forbidden_fmax(double %a, double %b) "no-builtin-fmax" {
  %y = call double @fmax(double %a, double %b) #0
  ret double %y
}
define double @no_builtin_fmax(double %a, double %b) {
  %y = call double @fmax(double %a, double %b) #1
  ret double %y
}
define double @sets_errno_fmax(double %a, double %b) {
  %y = call double @fmax(double %a, double %b)
  ret double %y
}
define double @perhaps_fmax(i1 %c, double %a, double %b) {
  br i1 %c, label %x, label %e
x:
  %y = call double @fmax(double %a, double %b) #2
  br label %e
e:
  %z = phi double [ %y, %x ], [ %a, %0 ]
  ret double %z
}
declare float @fmaxf(float, float)
define float @pure_fmaxf(float %a, float %b) {
  %y = call float @fmaxf(float %a, float %b) #0
  ret float %y
}
define float @forbidden_fmaxf(float %a, float %b) "no-builtin-fmaxf" {
  %y = call float @fmaxf(float %a, float %b) #0
  ret float %y
}
define float @no_builtin_fmaxf(float %a, float %b) {
  %y = call float @fmaxf(float %a, float %b) #1
  ret float %y
}
define float @sets_errno_fmaxf(float %a, float %b) {
  %y = call float @fmaxf(float %a, float %b)
  ret float %y
}
define float @perhaps_fmaxf(i1 %c, float %a, float %b) {
  br i1 %c, label %x, label %e
x:
  %y = call float @fmaxf(float %a, float %b) #2
  br label %e
e:
  %z = phi float [ %y, %x ], [ %a, %0 ]
  ret float %z
}
declare double @sin(double)
define double @pure_sin(double %a) {
  %y = call double @sin(double %a) #0
  ret double %y
}
define double @forbidden_sin(double %a) "no-builtin-sin" {
  %y = call double @sin(double %a) #0
  ret double %y
}
define double @no_builtin_sin(double %a) {
  %y = call double @sin(double %a) #1
  ret double %y
}
define double @sets_errno_sin(double %a) {
  %y = call double @sin(double %a)
  ret double %y
}
define double @perhaps_sin(i1 %c, double %a) {
  br i1 %c, label %x, label %e
x:
  %y = call double @sin(double %a) #2
  br label %e
e:
  %z = phi double [ %y, %x ], [ %a, %0 ]
  ret double %z
}
declare float @sinf(float)
define float @pure_sinf(float %a) {
  %y = call float @sinf(float %a) #0
  ret float %y
}
define float @forbidden_sinf(float %a) "no-builtin-sinf" {
  %y = call float @sinf(float %a) #0
  ret float %y
}
define float @no_builtin_sinf(float %a) {
  %y = call float @sinf(float %a) #1
  ret float %y
}
define float @sets_errno_sinf(float %a) {
  %y = call float @sinf(float %a)
  ret float %y
}
define float @perhaps_sinf(i1 %c, float %a) {
  br i1 %c, label %x, label %e
x:
  %y = call float @sinf(float %a) #2
  br label %e
e:
  %z = phi float [ %y, %x ], [ %a, %0 ]
  ret float %z
}
declare double @cos(double)
define double @pure_cos(double %a) {
  %y = call double @cos(double %a) #0
  ret double %y
}
define double @forbidden_cos(double %a) "no-builtin-cos" {
  %y = call double @cos(double %a) #0
  ret double %y
}
define double @no_builtin_cos(double %a) {
  %y = call double @cos(double %a) #1
  ret double %y
}
define double @sets_errno_cos(double %a) {
  %y = call double @cos(double %a)
  ret double %y
}
define double @perhaps_cos(i1 %c, double %a) {
  br i1 %c, label %x, label %e
x:
  %y = call double @cos(double %a) #2
  br label %e
e:
  %z = phi double [ %y, %x ], [ %a, %0 ]
  ret double %z
}
declare float @cosf(float)
define float @pure_cosf(float %a) {
  %y = call float @cosf(float %a) #0
  ret float %y
}
define float @forbidden_cosf(float %a) "no-builtin-cosf" {
  %y = call float @cosf(float %a) #0
  ret float %y
}
define float @no_builtin_cosf(float %a) {
  %y = call float @cosf(float %a) #1
  ret float %y
}
define float @sets_errno_cosf(float %a) {
  %y = call float @cosf(float %a)
  ret float %y
}
define float @perhaps_cosf(i1 %c, float %a) {
  br i1 %c, label %x, label %e
x:
  %y = call float @cosf(float %a) #2
  br label %e
e:
  %z = phi float [ %y, %x ], [ %a, %0 ]
  ret float %z
}
declare double @tan(double)
define double @pure_tan(double %a) {
  %y = call double @tan(double %a) #0
  ret double %y
}
define double @forbidden_tan(double %a) "no-builtin-tan" {
  %y = call double @tan(double %a) #0
  ret double %y
}
define double @no_builtin_tan(double %a) {
  %y = call double @tan(double %a) #1
  ret double %y
}
define double @sets_errno_tan(double %a) {
  %y = call double @tan(double %a)
  ret double %y
}
define double @perhaps_tan(i1 %c, double %a) {
  br i1 %c, label %x, label %e
x:
  %y = call double @tan(double %a) #2
  br label %e
e:
  %z = phi double [ %y, %x ], [ %a, %0 ]
  ret double %z
}
declare float @tanf(float)
define float @pure_tanf(float %a) {
  %y = call float @tanf(float %a) #0
  ret float %y
}
define float @forbidden_tanf(float %a) "no-builtin-tanf" {
  %y = call float @tanf(float %a) #0
  ret float %y
}
define float @no_builtin_tanf(float %a) {
  %y = call float @tanf(float %a) #1
  ret float %y
}
define float @sets_errno_tanf(float %a) {
  %y = call float @tanf(float %a)
  ret float %y
}
define float @perhaps_tanf(i1 %c, float %a) {
  br i1 %c, label %x, label %e
x:
  %y = call float @tanf(float %a) #2
  br label %e
e:
  %z = phi float [ %y, %x ], [ %a, %0 ]
  ret float %z
}
declare double @sqrt(double)
define double @pure_sqrt(double %a) {
  %y = call double @sqrt(double %a) #0
  ret double %y
}
define double @forbidden_sqrt(double %a) "no-builtin-sqrt" {
  %y = call double @sqrt(double %a) #0
  ret double %y
}
define double @no_builtin_sqrt(double %a) {
  %y = call double @sqrt(double %a) #1
  ret double %y
}
define double @sets_errno_sqrt(double %a) {
  %y = call double @sqrt(double %a)
  ret double %y
}
define double @perhaps_sqrt(i1 %c, double %a) {
  br i1 %c, label %x, label %e
x:
  %y = call double @sqrt(double %a) #2
  br label %e
e:
  %z = phi double [ %y, %x ], [ %a, %0 ]
  ret double %z
}
declare float @sqrtf(float)
define float @pure_sqrtf(float %a) {
  %y = call float @sqrtf(float %a) #0
  ret float %y
}
define float @forbidden_sqrtf(float %a) "no-builtin-sqrtf" {
  %y = call float @sqrtf(float %a) #0
  ret float %y
}
define float @no_builtin_sqrtf(float %a) {
  %y = call float @sqrtf(float %a) #1
  ret float %y
}
define float @sets_errno_sqrtf(float %a) {
  %y = call float @sqrtf(float %a)
  ret float %y
}
define float @perhaps_sqrtf(i1 %c, float %a) {
  br i1 %c, label %x, label %e
x:
  %y = call float @sqrtf(float %a) #2
  br label %e
e:
  %z = phi float [ %y, %x ], [ %a, %0 ]
  ret float %z
}
declare double @floor(double)
define double @pure_floor(double %a) {
  %y = call double @floor(double %a) #0
  ret double %y
}
define double @forbidden_floor(double %a) "no-builtin-floor" {
  %y = call double @floor(double %a) #0
  ret double %y
}
define double @no_builtin_floor(double %a) {
  %y = call double @floor(double %a) #1
  ret double %y
}
define double @sets_errno_floor(double %a) {
  %y = call double @floor(double %a)
  ret double %y
}
define double @perhaps_floor(i1 %c, double %a) {
  br i1 %c, label %x, label %e
x:
  %y = call double @floor(double %a) #2
  br label %e
e:
  %z = phi double [ %y, %x ], [ %a, %0 ]
  ret double %z
}
declare float @floorf(float)
define float @pure_floorf(float %a) {
  %y = call float @floorf(float %a) #0
  ret float %y
}
define float @forbidden_floorf(float %a) "no-builtin-floorf" {
  %y = call float @floorf(float %a) #0
  ret float %y
}
define float @no_builtin_floorf(float %a) {
  %y = call float @floorf(float %a) #1
  ret float %y
}
define float @sets_errno_floorf(float %a) {
  %y = call float @floorf(float %a)
  ret float %y
}
define float @perhaps_floorf(i1 %c, float %a) {
  br i1 %c, label %x, label %e
x:
  %y = call float @floorf(float %a) #2
  br label %e
e:
  %z = phi float [ %y, %x ], [ %a, %0 ]
  ret float %z
}
declare double @ceil(double)
define double @pure_ceil(double %a) {
  %y = call double @ceil(double %a) #0
  ret double %y
}
define double @forbidden_ceil(double %a) "no-builtin-ceil" {
  %y = call double @ceil(double %a) #0
  ret double %y
}
define double @no_builtin_ceil(double %a) {
  %y = call double @ceil(double %a) #1
  ret double %y
}
define double @sets_errno_ceil(double %a) {
  %y = call double @ceil(double %a)
  ret double %y
}
define double @perhaps_ceil(i1 %c, double %a) {
  br i1 %c, label %x, label %e
x:
  %y = call double @ceil(double %a) #2
  br label %e
e:
  %z = phi double [ %y, %x ], [ %a, %0 ]
  ret double %z
}
declare float @ceilf(float)
define float @pure_ceilf(float %a) {
  %y = call float @ceilf(float %a) #0
  ret float %y
}
define float @forbidden_ceilf(float %a) "no-builtin-ceilf" {
  %y = call float @ceilf(float %a) #0
  ret float %y
}
define float @no_builtin_ceilf(float %a) {
  %y = call float @ceilf(float %a) #1
  ret float %y
}
define float @sets_errno_ceilf(float %a) {
  %y = call float @ceilf(float %a)
  ret float %y
}
define float @perhaps_ceilf(i1 %c, float %a) {
  br i1 %c, label %x, label %e
x:
  %y = call float @ceilf(float %a) #2
  br label %e
e:
  %z = phi float [ %y, %x ], [ %a, %0 ]
  ret float %z
}
declare double @trunc(double)
define double @pure_trunc(double %a) {
  %y = call double @trunc(double %a) #0
  ret double %y
}
define double @forbidden_trunc(double %a) "no-builtin-trunc" {
  %y = call double @trunc(double %a) #0
  ret double %y
}
define double @no_builtin_trunc(double %a) {
  %y = call double @trunc(double %a) #1
  ret double %y
}
define double @sets_errno_trunc(double %a) {
  %y = call double @trunc(double %a)
  ret double %y
}
define double @perhaps_trunc(i1 %c, double %a) {
  br i1 %c, label %x, label %e
x:
  %y = call double @trunc(double %a) #2
  br label %e
e:
  %z = phi double [ %y, %x ], [ %a, %0 ]
  ret double %z
}
declare float @truncf(float)
define float @pure_truncf(float %a) {
  %y = call float @truncf(float %a) #0
  ret float %y
}
define float @forbidden_truncf(float %a) "no-builtin-truncf" {
  %y = call float @truncf(float %a) #0
  ret float %y
}
define float @no_builtin_truncf(float %a) {
  %y = call float @truncf(float %a) #1
  ret float %y
}
define float @sets_errno_truncf(float %a) {
  %y = call float @truncf(float %a)
  ret float %y
}
define float @perhaps_truncf(i1 %c, float %a) {
  br i1 %c, label %x, label %e
x:
  %y = call float @truncf(float %a) #2
  br label %e
e:
  %z = phi float [ %y, %x ], [ %a, %0 ]
  ret float %z
}
declare double @rint(double)
define double @pure_rint(double %a) {
  %y = call double @rint(double %a) #0
  ret double %y
}
define double @forbidden_rint(double %a) "no-builtin-rint" {
  %y = call double @rint(double %a) #0
  ret double %y
}
define double @no_builtin_rint(double %a) {
  %y = call double @rint(double %a) #1
  ret double %y
}
define double @sets_errno_rint(double %a) {
  %y = call double @rint(double %a)
  ret double %y
}
define double @perhaps_rint(i1 %c, double %a) {
  br i1 %c, label %x, label %e
x:
  %y = call double @rint(double %a) #2
  br label %e
e:
  %z = phi double [ %y, %x ], [ %a, %0 ]
  ret double %z
}
declare float @rintf(float)
define float @pure_rintf(float %a) {
  %y = call float @rintf(float %a) #0
  ret float %y
}
define float @forbidden_rintf(float %a) "no-builtin-rintf" {
  %y = call float @rintf(float %a) #0
  ret float %y
}
define float @no_builtin_rintf(float %a) {
  %y = call float @rintf(float %a) #1
  ret float %y
}
define float @sets_errno_rintf(float %a) {
  %y = call float @rintf(float %a)
  ret float %y
}
define float @perhaps_rintf(i1 %c, float %a) {
  br i1 %c, label %x, label %e
x:
  %y = call float @rintf(float %a) #2
  br label %e
e:
  %z = phi float [ %y, %x ], [ %a, %0 ]
  ret float %z
}
declare double @round(double)
define double @pure_round(double %a) {
  %y = call double @round(double %a) #0
  ret double %y
}
define double @forbidden_round(double %a) "no-builtin-round" {
  %y = call double @round(double %a) #0
  ret double %y
}
define double @no_builtin_round(double %a) {
  %y = call double @round(double %a) #1
  ret double %y
}
define double @sets_errno_round(double %a) {
  %y = call double @round(double %a)
  ret double %y
}
define double @perhaps_round(i1 %c, double %a) {
  br i1 %c, label %x, label %e
x:
  %y = call double @round(double %a) #2
  br label %e
e:
  %z = phi double [ %y, %x ], [ %a, %0 ]
  ret double %z
}
declare float @roundf(float)
define float @pure_roundf(float %a) {
  %y = call float @roundf(float %a) #0
  ret float %y
}
define float @forbidden_roundf(float %a) "no-builtin-roundf" {
  %y = call float @roundf(float %a) #0
  ret float %y
}
define float @no_builtin_roundf(float %a) {
  %y = call float @roundf(float %a) #1
  ret float %y
}
define float @sets_errno_roundf(float %a) {
  %y = call float @roundf(float %a)
  ret float %y
}
define float @perhaps_roundf(i1 %c, float %a) {
  br i1 %c, label %x, label %e
x:
  %y = call float @roundf(float %a) #2
  br label %e
e:
  %z = phi float [ %y, %x ], [ %a, %0 ]
  ret float %z
}
declare double @log2(double)
define double @pure_log2(double %a) {
  %y = call double @log2(double %a) #0
  ret double %y
}
define double @forbidden_log2(double %a) "no-builtin-log2" {
  %y = call double @log2(double %a) #0
  ret double %y
}
define double @no_builtin_log2(double %a) {
  %y = call double @log2(double %a) #1
  ret double %y
}
define double @sets_errno_log2(double %a) {
  %y = call double @log2(double %a)
  ret double %y
}
define double @perhaps_log2(i1 %c, double %a) {
  br i1 %c, label %x, label %e
x:
  %y = call double @log2(double %a) #2
  br label %e
e:
  %z = phi double [ %y, %x ], [ %a, %0 ]
  ret double %z
}
declare float @log2f(float)
define float @pure_log2f(float %a) {
  %y = call float @log2f(float %a) #0
  ret float %y
}
define float @forbidden_log2f(float %a) "no-builtin-log2f" {
  %y = call float @log2f(float %a) #0
  ret float %y
}
define float @no_builtin_log2f(float %a) {
  %y = call float @log2f(float %a) #1
  ret float %y
}
define float @sets_errno_log2f(float %a) {
  %y = call float @log2f(float %a)
  ret float %y
}
define float @perhaps_log2f(i1 %c, float %a) {
  br i1 %c, label %x, label %e
x:
  %y = call float @log2f(float %a) #2
  br label %e
e:
  %z = phi float [ %y, %x ], [ %a, %0 ]
  ret float %z
}
declare double @nearbyint(double)
define double @pure_nearbyint(double %a) {
  %y = call double @nearbyint(double %a) #0
  ret double %y
}
define double @forbidden_nearbyint(double %a) "no-builtin-nearbyint" {
  %y = call double @nearbyint(double %a) #0
  ret double %y
}
define double @no_builtin_nearbyint(double %a) {
  %y = call double @nearbyint(double %a) #1
  ret double %y
}
define double @sets_errno_nearbyint(double %a) {
  %y = call double @nearbyint(double %a)
  ret double %y
}
define double @perhaps_nearbyint(i1 %c, double %a) {
  br i1 %c, label %x, label %e
x:
  %y = call double @nearbyint(double %a) #2
  br label %e
e:
  %z = phi double [ %y, %x ], [ %a, %0 ]
  ret double %z
}
declare float @nearbyintf(float)
define float @pure_nearbyintf(float %a) {
  %y = call float @nearbyintf(float %a) #0
  ret float %y
}
define float @forbidden_nearbyintf(float %a) "no-builtin-nearbyintf" {
  %y = call float @nearbyintf(float %a) #0
  ret float %y
}
define float @no_builtin_nearbyintf(float %a) {
  %y = call float @nearbyintf(float %a) #1
  ret float %y
}
define float @sets_errno_nearbyintf(float %a) {
  %y = call float @nearbyintf(float %a)
  ret float %y
}
define float @perhaps_nearbyintf(i1 %c, float %a) {
  br i1 %c, label %x, label %e
x:
  %y = call float @nearbyintf(float %a) #2
  br label %e
e:
  %z = phi float [ %y, %x ], [ %a, %0 ]
  ret float %z
}
declare double @exp2(double)
define double @pure_exp2(double %a) {
  %y = call double @exp2(double %a) #0
  ret double %y
}
define double @forbidden_exp2(double %a) "no-builtin-exp2" {
  %y = call double @exp2(double %a) #0
  ret double %y
}
define double @no_builtin_exp2(double %a) {
  %y = call double @exp2(double %a) #1
  ret double %y
}
define double @sets_errno_exp2(double %a) {
  %y = call double @exp2(double %a)
  ret double %y
}
define double @perhaps_exp2(i1 %c, double %a) {
  br i1 %c, label %x, label %e
x:
  %y = call double @exp2(double %a) #2
  br label %e
e:
  %z = phi double [ %y, %x ], [ %a, %0 ]
  ret double %z
}
declare float @exp2f(float)
define float @pure_exp2f(float %a) {
  %y = call float @exp2f(float %a) #0
  ret float %y
}
define float @forbidden_exp2f(float %a) "no-builtin-exp2f" {
  %y = call float @exp2f(float %a) #0
  ret float %y
}
define float @no_builtin_exp2f(float %a) {
  %y = call float @exp2f(float %a) #1
  ret float %y
}
define float @sets_errno_exp2f(float %a) {
  %y = call float @exp2f(float %a)
  ret float %y
}
define float @perhaps_exp2f(i1 %c, float %a) {
  br i1 %c, label %x, label %e
x:
  %y = call float @exp2f(float %a) #2
  br label %e
e:
  %z = phi float [ %y, %x ], [ %a, %0 ]
  ret float %z
}
declare double @ldexp(double, i32)
define double @pure_ldexp(double %a, i32 %b) {
  %y = call double @ldexp(double %a, i32 %b) #0
  ret double %y
}
define double @forbidden_ldexp(double %a, i32 %b) "no-builtin-ldexp" {
  %y = call double @ldexp(double %a, i32 %b) #0
  ret double %y
}
define double @no_builtin_ldexp(double %a, i32 %b) {
  %y = call double @ldexp(double %a, i32 %b) #1
  ret double %y
}
define double @sets_errno_ldexp(double %a, i32 %b) {
  %y = call double @ldexp(double %a, i32 %b)
  ret double %y
}
define double @perhaps_ldexp(i1 %c, double %a, i32 %b) {
  br i1 %c, label %x, label %e
x:
  %y = call double @ldexp(double %a, i32 %b) #2
  br label %e
e:
  %z = phi double [ %y, %x ], [ %a, %0 ]
  ret double %z
}
declare float @ldexpf(float, i32)
define float @pure_ldexpf(float %a, i32 %b) {
  %y = call float @ldexpf(float %a, i32 %b) #0
  ret float %y
}
define float @forbidden_ldexpf(float %a, i32 %b) "no-builtin-ldexpf" {
  %y = call float @ldexpf(float %a, i32 %b) #0
  ret float %y
}
define float @no_builtin_ldexpf(float %a, i32 %b) {
  %y = call float @ldexpf(float %a, i32 %b) #1
  ret float %y
}
define float @sets_errno_ldexpf(float %a, i32 %b) {
  %y = call float @ldexpf(float %a, i32 %b)
  ret float %y
}
define float @perhaps_ldexpf(i1 %c, float %a, i32 %b) {
  br i1 %c, label %x, label %e
x:
  %y = call float @ldexpf(float %a, i32 %b) #2
  br label %e
e:
  %z = phi float [ %y, %x ], [ %a, %0 ]
  ret float %z
}
define double @beside_a_reference(ptr addrspace(1) %p, double %a) gc "statepoint-example" {
  %y = call double @sqrt(double %a) #0
  call void @g()
  store double %y, ptr addrspace(1) %p
  ret double %y
}
declare void @g()
define void @gc.safepoint_poll() {
  call void @g()
  ret void
}
attributes #0 = { memory(none) nounwind }
attributes #1 = { memory(none) nounwind nobuiltin }
attributes #2 = { memory(read) nounwind }
