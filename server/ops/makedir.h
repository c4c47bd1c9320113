/* makedir.h - folders of smd's own. */
#ifndef SMD_MAKEDIR_H
#define SMD_MAKEDIR_H

/* Makes the folder PATH, and all above it that are not there, for this user alone. 0 and errno on failure. */
int make_folders(const char *path);

#endif
