/* intake.h - a thread for what would hold an HTTP thread up: parsing a JSON body that is not tiny. */
#ifndef SMD_INTAKE_H
#define SMD_INTAKE_H

struct intake;

struct intake_task {
    void (*run)(struct intake_task *t); /* called once, on the intake's thread; may free what holds the task */
    struct intake_task *next;
};

struct intake *intake_start(void); /* NULL on failure. *new* */
void intake_add(struct intake *in, struct intake_task *t);
void intake_stop(
    struct intake *in); /* runs what was added, then ends; what is added later runs at once. NULL is fine */
void intake_free(struct intake *in); /* after intake_stop, when nobody adds any more; NULL is fine */

#endif
