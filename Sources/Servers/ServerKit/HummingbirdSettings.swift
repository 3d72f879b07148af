package import HummingbirdCore
package import Logging
import NIOCore

extension HTTP1Channel.Configuration {
    /// Limits the header of a request, and the time for which a connection may be idle; without `idleTime`, another
    /// handler limits the time.
    package init(headerBytes: Int, headerFields: Int, idleTime: Duration? = nil) {
        self.init(
            idleTimeout: idleTime.map { TimeAmount($0) },
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: headerBytes, maxHeaderListSize: headerBytes, maxHeaderFieldCount: headerFields))
    }
}

extension Logger {
    /// A logger that writes nothing, for a server whose caller gives none.
    package static func silent(_ label: String) -> Logger {
        Logger(label: label, factory: { _ in SwiftLogNoOpLogHandler() })
    }

    /// The logger for Hummingbird, which logs at `info` that it has started: a library is silent unless something is wrong.
    package var forHummingbird: Logger {
        var logger = self
        if logger.logLevel > .debug { logger.logLevel = max(logger.logLevel, .warning) }
        return logger
    }
}
