import ChatWire

// The configuration: when it is asked for, and what becomes of it.
extension ChatCore {
    /// The values in force and where they come from.
    package var configuration: EffectiveConfiguration { configurator.effective }

    /// Bytes; 30 MB as long as the server has not said otherwise.
    package var largestFile: Int64 { configurator.largestFile }

    /// The extensions of files that the server takes, in lower case, without a dot; empty where it takes all.
    package var allowedFileExtensions: [String] { configurator.fileExtensions }

    mutating func requestConfiguration(_ turn: inout CoreUpdate) {
        guard mayCall, !calls.contains(.configuration) else { return }
        call(.configuration(appMarker: settings.appMarker, apiVersion: settings.apiVersion), for: .configuration, &turn)
    }

    /// Asks for the configuration unless it came since the user was authorized.
    mutating func requestMissingConfiguration(_ turn: inout CoreUpdate) {
        if !configurator.isFetched { requestConfiguration(&turn) }
    }

    mutating func configurationFailed(_ failure: TransportFailure, _ turn: inout CoreUpdate) {
        let isWanted = isForeground && (presence.isLooking || socket.isReady)
        configurator.failed(failure, isWanted: isWanted, at: turn.now, entropy: &turn.entropy)
        perform(session.progressed(configuration: .some(failure)), &turn)
    }

    /// The server changed a part of the configuration while the chat is on.
    mutating func updateRemote(_ turn: inout CoreUpdate, _ change: (inout ConfigurationAnswer) -> Void) {
        if session.isAuthorized { perform(configurator.update(change), &turn) }
    }

}
