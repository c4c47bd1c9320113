/* What the modules of parts_test.c ask of their runtime. */
static char cell[64];
void *allocate(long n) {
    return cell;
}
void collect(void) {
}
char wanted;
