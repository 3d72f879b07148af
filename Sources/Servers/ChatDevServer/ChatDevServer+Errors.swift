import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension ChatDevServer {
    /// The error of a failed start, or of a run that broke off, in this server's words.
    func explanation(of error: any Error) -> ChatDevServerError {
        if let error = error as? ChatDevServerError { return error }
        if runState.isListening {
            return ChatDevServerError(.stopped, reason: "The server has broken off: \(error).", underlying: error)
        }
        let place = "\(configuration.host):\(configuration.port)"
        if let failure = error as? IOError, failure.errnoCode == EADDRINUSE {
            return ChatDevServerError(
                .portInUse, reason: "Another program listens on \(place).", port: configuration.port,
                underlying: error)
        }
        return ChatDevServerError(
            .cannotListen, reason: "The server cannot listen on \(place): \(error).", port: configuration.port,
            underlying: error)
    }
}
