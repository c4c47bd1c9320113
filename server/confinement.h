/* confinement.h - which paths and ports a daemon of these settings will need. */
#ifndef SMD_CONFINEMENT_H
#define SMD_CONFINEMENT_H

#include "confine.h"
#include "settings.h"

/* Gives up all that smd with these settings does not need, and says in *LAYERS which are on (bits, 1 << enum
 * confine_layer); nothing, and 0, if the setting confinement is off. What can be read now can be read by a reload.
 * Before there is a second thread. */
sm_status confinement_enter(const struct settings *s, unsigned *layers, struct error *err);

#endif
