/* Bodies that attract each other; each number is an object of its own.
 * sizes: 10000 300 60 */
#include "managed.h"

enum { BODIES = 5 };

struct box {
    uint64_t header;
    double value;
};

struct body {
    uint64_t header;
    struct box REF *x, *y, *z, *vx, *vy, *vz, *mass;
};

static inline struct box REF *box(double value) {
    struct box REF *b = NEW(box, 0);
    b->value = value;
    return b;
}

static NOINLINE struct body REF *make(const double *v) {
    struct body REF *b = NEW(body, 7);
    b->x = box(v[0]);
    b->y = box(v[1]);
    b->z = box(v[2]);
    b->vx = box(v[3]);
    b->vy = box(v[4]);
    b->vz = box(v[5]);
    b->mass = box(v[6]);
    return b;
}

static NOINLINE void attract(struct body REF *a, struct body REF *b, double dt) {
    double dx = a->x->value - b->x->value, dy = a->y->value - b->y->value, dz = a->z->value - b->z->value;
    double square = dx * dx + dy * dy + dz * dz;
    double magnitude = dt / (square * __builtin_sqrt(square));
    double ma = a->mass->value * magnitude, mb = b->mass->value * magnitude;
    a->vx = box(a->vx->value - dx * mb);
    a->vy = box(a->vy->value - dy * mb);
    a->vz = box(a->vz->value - dz * mb);
    b->vx = box(b->vx->value + dx * ma);
    b->vy = box(b->vy->value + dy * ma);
    b->vz = box(b->vz->value + dz * ma);
}

static void advance(struct array REF *bodies, double dt) {
    for (int64_t i = 0; i < BODIES; i++)
        for (int64_t j = i + 1; j < BODIES; j++)
            attract(bodies->item[i], bodies->item[j], dt);
    for (int64_t i = 0; i < BODIES; i++) {
        struct body REF *b = bodies->item[i];
        b->x = box(b->x->value + dt * b->vx->value);
        b->y = box(b->y->value + dt * b->vy->value);
        b->z = box(b->z->value + dt * b->vz->value);
    }
}

static const double planets[BODIES][7] = {
    {0, 0, 0, 0, 0, 0, 39.47841760435743},
    {4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01, 0.606326392995832, 2.81198684491626,
     -0.02521836165988763, 0.03769367487038949},
    {8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01, -1.01077434617879, 1.82566237123041,
     0.008415761376584154, 0.011286326131968767},
    {1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01, 1.08279100644154, 0.868713018169608,
     -0.010832637401363636, 0.0017237240570597112},
    {1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01, 0.979090732243898, 0.594698998647676,
     -0.034755955504078104, 0.0020336868699246304}};

int64_t run(int64_t n) {
    struct array REF *bodies = new_array(BODIES);
    for (int64_t i = 0; i < BODIES; i++)
        bodies->item[i] = make(planets[i]);
    for (int64_t i = 0; i < n; i++)
        advance(bodies, 0.01);
    double sum = 0;
    for (int64_t i = 0; i < BODIES; i++) {
        struct body REF *b = bodies->item[i];
        sum += b->x->value + b->y->value * 3 + b->z->value * 5;
    }
    return (int64_t)(sum * 1e9);
}
