#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

import Synchronization

/// The right to be the only one who uses a folder. It ends when it is released, with the object, and with the process, however that
/// ends. May be used from any thread.
package final class FileClaim: Sendable {
    private let descriptor: Mutex<Int32?>

    init(_ descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Gives the folder back. Another time it does nothing.
    package func release() {
        descriptor.withLock { descriptor in
            // Closing it lets the lock go.
            if let descriptor { close(descriptor) }
            descriptor = nil
        }
    }
}
