// The states of messages and of the connection, banners and failures are types of the core. An app that imports
// ChatCenter can use them without importing the core.
@_exported public import ChatCenterCore
