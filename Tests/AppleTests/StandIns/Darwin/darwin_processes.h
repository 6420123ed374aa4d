// This process, its limits, and others. A phone starts no programs; a television set and a watch cannot even ask for it.
#ifndef DARWIN_PROCESSES_H
#define DARWIN_PROCESSES_H
#include "darwin_types.h"
#pragma clang assume_nonnull begin

#define SIGINT 2
#define SIGKILL 9
#define SIGPIPE 13
#define SIGHUP 1
#define SIGTERM 15
#define SIGSTOP 17
#define SIGCONT 19

typedef uint64_t rlim_t;
struct rlimit {
  rlim_t rlim_cur;
  rlim_t rlim_max;
};
int getrlimit(int resource, struct rlimit *limit);
int setrlimit(int resource, const struct rlimit *limit);
#define RLIMIT_NOFILE 8

struct rusage {
  struct timeval ru_utime;
  struct timeval ru_stime;
  long ru_maxrss;
  long ru_ixrss, ru_idrss, ru_isrss, ru_minflt, ru_majflt, ru_nswap;
  long ru_inblock, ru_oublock, ru_msgsnd, ru_msgrcv, ru_nsignals, ru_nvcsw, ru_nivcsw;
};
int getrusage(int who, struct rusage *usage);
#define RUSAGE_SELF 0

pid_t getpid(void);
uid_t getuid(void);
uid_t geteuid(void);

struct passwd {
  char *_Null_unspecified pw_name;
};
struct passwd *_Null_unspecified getpwuid(uid_t number);
int kill(pid_t process, int signal);
unsigned alarm(unsigned seconds);
char *_Nullable getenv(const char *name);
void exit(int status) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));
void *_Nullable malloc(size_t size);
void free(void *_Nullable memory);
char *_Null_unspecified strdup(const char *text);
size_t strlen(const char *text);
void *_Nullable memchr(const void *bytes, int byte, size_t count);
int memcmp(const void *bytes, const void *others, size_t count);
int usleep(uint32_t microseconds);
typedef struct {
  int descriptor;
} FILE;
int fflush(FILE *_Nullable file);

typedef uint32_t sigset_t;
int sigemptyset(sigset_t *signals);
int sigfillset(sigset_t *signals);

#pragma clang assume_nonnull end
typedef void *posix_spawn_file_actions_t;
typedef void *posix_spawnattr_t;
#pragma clang assume_nonnull begin
#define POSIX_SPAWN_SETPGROUP 0x0002
#define POSIX_SPAWN_SETSIGDEF 0x0004
#define POSIX_SPAWN_SETSIGMASK 0x0008
#define POSIX_SPAWN_CLOEXEC_DEFAULT 0x4000
int posix_spawn(
    pid_t *_Nullable process, const char *path, const posix_spawn_file_actions_t _Nullable *_Nullable actions,
    const posix_spawnattr_t _Nullable *_Nullable attributes, char *_Nullable const arguments[_Nonnull],
    char *_Nullable const environment[_Nullable]) NOT_ON_TV_AND_WATCH;
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions) NOT_ON_TV_AND_WATCH;
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions) NOT_ON_TV_AND_WATCH;
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int from, int to) NOT_ON_TV_AND_WATCH;
int posix_spawn_file_actions_addinherit_np(posix_spawn_file_actions_t *actions, int number) NOT_ON_TV_AND_WATCH;
int posix_spawnattr_init(posix_spawnattr_t *attributes) NOT_ON_TV_AND_WATCH;
int posix_spawnattr_destroy(posix_spawnattr_t *attributes) NOT_ON_TV_AND_WATCH;
int posix_spawnattr_setsigmask(posix_spawnattr_t *attributes, const sigset_t *signals) NOT_ON_TV_AND_WATCH;
int posix_spawnattr_setsigdefault(posix_spawnattr_t *attributes, const sigset_t *signals) NOT_ON_TV_AND_WATCH;
int posix_spawnattr_setpgroup(posix_spawnattr_t *attributes, pid_t group) NOT_ON_TV_AND_WATCH;
int posix_spawnattr_setflags(posix_spawnattr_t *attributes, short flags) NOT_ON_TV_AND_WATCH;

typedef enum { P_ALL, P_PID, P_PGID } idtype_t;
typedef struct {
  int si_signo, si_errno, si_code;
  pid_t si_pid;
  uid_t si_uid;
  int si_status;
} siginfo_t;
#define WEXITED 0x00000004
#define WNOWAIT 0x00000020
int waitid(idtype_t kind, id_t number, siginfo_t *information, int options);
pid_t waitpid(pid_t process, int *status, int options);

int system(const char *command) ON_MAC_ALONE;
pid_t fork(void) NOT_ON_TV_AND_WATCH;

#pragma clang assume_nonnull end
#endif
