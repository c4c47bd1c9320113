/* slices.h - large blocks go back to the system a slice at a time. */
#ifndef SMD_SLICES_H
#define SMD_SLICES_H

/* free(3). While the system takes a block of megabytes back, no thread of the process gets memory or gives it back, and
 * the one that frees may lose its core meanwhile; between slices others come in. */
void slices_free(void *block);

#endif
