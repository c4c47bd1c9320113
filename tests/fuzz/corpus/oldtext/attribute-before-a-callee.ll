define i32 @f() {
  %c = call i32 @x(i8* y
  %d = call inalloca i32 (i8*, ...)* @p l
}
