import ChatCenterCore

/// The network of a configuration that cannot be used: it answers everything with the configuration's problems.
struct RefusingNetwork: ChatNetwork {
    let error: ChatTransportConfigError
    let reporter: NetworkReporter

    func perform(_ command: NetworkCommand) {
        switch command {
        case .openSocket(let generation, _):
            reporter.sink(.socketClosed(generation, .transport(reporter.failure(error, "socket"))))
        case .call(let id, _):
            reporter.sink(.answered(id, .failure(reporter.failure(error, "call"))))
        case .upload(let id, _), .download(let id, _):
            reporter.sink(.transferred(id, .failure(reporter.failure(error, "transfer"))))
        case .transmit, .ping, .closeSocket, .cancel:
            break
        }
    }
}
