import NIOCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension Channel {
    /// Makes the kernel answer the coming close with a reset in place of a farewell.
    func resetsOnClose() {
        let noLinger = linger(l_onoff: 1, l_linger: 0)
        _ = (self as? any SocketOptionProvider)?.setSoLinger(noLinger)
    }
}
