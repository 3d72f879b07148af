package import HoldfastTrust
package import Logging
package import NIOCore
import NIOPosix

/// The dialler that opens real sockets.
package final class NetworkDialler: Dialler {
    let configuration: TransportConfiguration
    let logger: Logger?

    /// Makes a dialler. Opens nothing.
    package init(configuration: TransportConfiguration, logger: Logger? = nil) {
        self.configuration = configuration
        self.logger = logger
    }

    /// The event loops that all of Holdfast's connections run on.
    package static var eventLoops: any EventLoopGroup { MultiThreadedEventLoopGroup.singleton }

    package func dial(
        _ target: DialTarget, deadlines: DialDeadlines, on loop: any EventLoop
    ) -> EventLoopFuture<Dialled> {
        loop.makeFailedFuture(TransportError(.shutDown, in: .preparing, "stub"))  // STUB
    }
}
