// What an app's one import brings on Apple's systems besides, for where the package was built on another one.

@_exported import FlagUserDefaults
