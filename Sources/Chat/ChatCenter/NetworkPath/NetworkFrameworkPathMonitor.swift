#if canImport(Network)
import ChatCenterCore
import Dispatch
import Network
import Synchronization

/// The monitor based on `NWPathMonitor`.
final class NetworkFrameworkPathMonitor: ChatPathMonitor {
    private let queue = DispatchQueue(label: "holdfast.chat.path")
    private let monitor = Mutex<NWPathMonitor?>(nil)

    func start(_ sink: @escaping @Sendable (NetworkPath) -> Void) {
        // A cancelled monitor cannot be started again.
        let next = NWPathMonitor()
        next.pathUpdateHandler = { path in sink(NetworkPath(path)) }
        monitor.withLock { monitor in
            monitor?.cancel()
            monitor = next
        }
        next.start(queue: queue)
    }

    func stop() {
        monitor.withLock { monitor in
            monitor?.cancel()
            monitor = nil
        }
    }

    deinit { stop() }
}

extension NetworkPath {
    init(_ path: NWPath) {
        let interfaces = path.availableInterfaces.map { "\($0.name):\($0.type)" }
        let gateways = path.gateways.map { "\($0)" }.sorted()
        self.init(
            identity: (interfaces + gateways).joined(separator: " "), hasRoute: path.status == .satisfied)
    }
}
#endif
