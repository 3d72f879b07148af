package import HummingbirdCore
package import Logging
import NIOCore

extension HTTP1Channel.Configuration {
    /// Limits the size of a request's header and the idle time of a connection. Without `idleTime`, another handler
    /// limits the time.
    package init(headerBytes: Int, headerFields: Int, idleTime: Duration? = nil) {
        self.init(
            idleTimeout: idleTime.map { TimeAmount($0) },
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: headerBytes, maxHeaderListSize: headerBytes, maxHeaderFieldCount: headerFields))
    }
}

extension Logger {
    /// Returns a logger that writes nothing, for callers that provide none.
    package static func silent(_ label: String) -> Logger {
        Logger(label: label, factory: { _ in SwiftLogNoOpLogHandler() })
    }

    /// The logger for Hummingbird. Hummingbird logs its start at `info`, but a library must be silent unless something
    /// is wrong.
    package var forHummingbird: Logger {
        var logger = self
        if logger.logLevel > .debug { logger.logLevel = max(logger.logLevel, .warning) }
        return logger
    }
}
