/// The names of the actions, in scripts and in the operators' interface.
enum ScriptActionName: String, CaseIterable {
    // A conversation.
    case say, type, receive, read, edit, delete, files, transcribe, join, leave, announce, requestClose, survey
    case closeThread, block, unblock, personalData, push
    // The server.
    case schedule, attachmentSettings, settings, tokens, identity, network, fault
    // Connections.
    case close, cut
}
