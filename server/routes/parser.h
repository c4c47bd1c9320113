/* parser.h - a thread for what would hold an HTTP thread up: parsing a JSON body that is not tiny. */
#ifndef SMD_PARSER_H
#define SMD_PARSER_H

struct parser;

struct parser_task {
    void (*run)(struct parser_task *t); /* called once, on the parser thread; may free what holds the task */
    struct parser_task *next;
};

struct parser *parser_start(void); /* NULL on failure. *new* */
void parser_add(struct parser *p, struct parser_task *t);
void parser_stop(
    struct parser *p); /* runs what was added, then ends; what is added later runs at once. NULL is fine */
void parser_free(struct parser *p); /* after intake_stop, when nobody adds any more; NULL is fine */

#endif
