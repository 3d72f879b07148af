// The states of messages and of the connection, banners and failures are the core's own types: an app that imports
// ChatCenter sees them without knowing that there is a core.
@_exported public import ChatCenterCore
