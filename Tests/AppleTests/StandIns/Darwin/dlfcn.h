// Loading libraries.
#ifndef DARWIN_DLFCN_H
#define DARWIN_DLFCN_H
#define RTLD_LAZY 0x1
#define RTLD_NOW 0x2
#define RTLD_LOCAL 0x4
void *_Nullable dlopen(const char *_Nullable path, int mode);
void *_Nullable dlsym(void *_Nullable library, const char *_Nonnull name);
const char *_Nullable dlerror(void);
#endif
