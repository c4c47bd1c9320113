/* other.c - the object that code.c refers to, loaded before it. */
int other_value = 77;
const char *const other_names[3] = {"nil", "second", "third"};

int other_function(int (*callback)(int), int n) {
    return callback(n) + 7;
}
int count_up(int *counter) {
    return ++*counter;
}
