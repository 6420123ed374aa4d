// Files and descriptors. `open` and `fcntl` take any number of arguments, so Swift sees those of the overlay.
#ifndef DARWIN_FILES_H
#define DARWIN_FILES_H
#include "darwin_types.h"
#pragma clang assume_nonnull begin

struct stat {
  dev_t st_dev;
  mode_t st_mode;
  nlink_t st_nlink;
  ino_t st_ino;
  uid_t st_uid;
  gid_t st_gid;
  dev_t st_rdev;
  struct timespec st_atimespec;
  struct timespec st_mtimespec;
  struct timespec st_ctimespec;
  struct timespec st_birthtimespec;
  off_t st_size;
  blkcnt_t st_blocks;
  blksize_t st_blksize;
  uint32_t st_flags;
  uint32_t st_gen;
  int32_t st_lspare;
  int64_t st_qspare[2];
};
int stat(const char *path, struct stat *status);
int lstat(const char *path, struct stat *status);
int fstat(int descriptor, struct stat *status);

int close(int descriptor);
ssize_t read(int descriptor, void *_Null_unspecified bytes, size_t count);
ssize_t write(int descriptor, const void *_Null_unspecified bytes, size_t count);
ssize_t pread(int descriptor, void *_Null_unspecified bytes, size_t count, off_t offset);
ssize_t pwrite(int descriptor, const void *_Null_unspecified bytes, size_t count, off_t offset);
off_t lseek(int descriptor, off_t offset, int whence);
int ftruncate(int descriptor, off_t length);
int fsync(int descriptor);
int dup(int descriptor);
int pipe(int *_Null_unspecified descriptors);
int isatty(int descriptor);
int fchmod(int descriptor, mode_t mode);
int fchown(int descriptor, uid_t user, gid_t group);
int chmod(const char *path, mode_t mode);
int mkdir(const char *path, mode_t mode);
int rmdir(const char *path);
int unlink(const char *path);
int rename(const char *from, const char *to);
int access(const char *path, int mode);
int utimes(const char *path, const struct timeval *_Null_unspecified times);
ssize_t readlink(const char *path, char *bytes, size_t count);

struct flock {
  off_t l_start;
  off_t l_len;
  pid_t l_pid;
  short l_type;
  short l_whence;
};
int flock(int descriptor, int operation);

struct dirent {
  uint64_t d_ino;
  uint64_t d_seekoff;
  uint16_t d_reclen;
  uint16_t d_namlen;
  uint8_t d_type;
  char d_name[1024];
};
typedef struct {
  int descriptor;
} DIR;
DIR *_Null_unspecified opendir(const char *path);
struct dirent *_Null_unspecified readdir(DIR *directory);
int closedir(DIR *directory);
char *_Null_unspecified realpath(const char *path, char *_Nullable resolved);

struct _copyfile_state;
typedef struct _copyfile_state *_Nullable copyfile_state_t;
typedef uint32_t copyfile_flags_t;
int fcopyfile(int from, int to, copyfile_state_t state, copyfile_flags_t flags);
#define COPYFILE_ACL (1 << 0)
#define COPYFILE_STAT (1 << 1)
#define COPYFILE_XATTR (1 << 2)
#define COPYFILE_DATA (1 << 3)

struct attrlist {
  uint16_t bitmapcount;
  uint16_t reserved;
  uint32_t commonattr;
  uint32_t volattr;
  uint32_t dirattr;
  uint32_t fileattr;
  uint32_t forkattr;
};
ssize_t getxattr(const char *path, const char *name, void *_Nullable value, size_t size, uint32_t position, int options);
int setxattr(const char *path, const char *name, const void *_Nullable value, size_t size, uint32_t position, int options);
ssize_t fgetxattr(int descriptor, const char *name, void *_Nullable value, size_t size, uint32_t position, int options);
int fsetxattr(int descriptor, const char *name, const void *_Nullable value, size_t size, uint32_t position, int options);
#define XATTR_NOFOLLOW 0x0001

struct pollfd {
  int fd;
  short events;
  short revents;
};
typedef unsigned int nfds_t;
int poll(struct pollfd *_Null_unspecified descriptors, nfds_t count, int milliseconds);
#define POLLIN 0x0001
#define POLLOUT 0x0004
#define POLLERR 0x0008
#define POLLHUP 0x0010
#define POLLNVAL 0x0020

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define F_OK 0
#define R_OK 4
#define W_OK 2
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x0004
#define O_APPEND 0x0008
#define O_NOFOLLOW 0x0100
#define O_CREAT 0x0200
#define O_TRUNC 0x0400
#define O_EXCL 0x0800
#define O_EVTONLY 0x8000
#define O_DIRECTORY 0x100000
#define O_SYMLINK 0x200000
#define O_CLOEXEC 0x1000000
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_GETPATH 50
#define F_FULLFSYNC 51
#define F_GETPROTECTIONCLASS 63
#define F_SETPROTECTIONCLASS 64
#define F_BARRIERFSYNC 85
#define FD_CLOEXEC 1
#define PATH_MAX 1024

#pragma clang assume_nonnull end
#endif
