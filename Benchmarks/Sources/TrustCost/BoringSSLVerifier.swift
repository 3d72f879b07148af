import CNIOBoringSSL
import HoldfastTrust

/// BoringSSL's own verification, as NIOSSL runs it in a handshake by default: `X509_verify_cert` for a TLS server, with
/// the host name. It does not compare pins.
final class BoringSSLVerifier {
    private let store: OpaquePointer
    private let host: String
    private let time: Timestamp

    init(root: [UInt8], host: String, time: Timestamp) throws {
        guard let store = X509_STORE_new(), let root = BoringSSLVerifier.certificate(root) else {
            throw WrongResult(subject: "BoringSSL")
        }
        defer { X509_free(root) }
        X509_STORE_add_cert(store, root)
        self.store = store
        self.host = host
        self.time = time
    }

    deinit { X509_STORE_free(store) }

    /// Parses and verifies a chain.
    func accepts(_ chain: [[UInt8]]) -> Bool {
        guard let stack = OPENSSL_sk_new_null(), let context = X509_STORE_CTX_new() else { return false }
        let certificates = chain.compactMap(BoringSSLVerifier.certificate)
        defer {
            X509_STORE_CTX_free(context)
            OPENSSL_sk_free(stack)
            for certificate in certificates { X509_free(certificate) }
        }
        for certificate in certificates.dropFirst() {
            OPENSSL_sk_push(stack, UnsafeMutableRawPointer(certificate))
        }
        guard let leaf = certificates.first, X509_STORE_CTX_init(context, store, leaf, stack) == 1,
            X509_STORE_CTX_set_default(context, "ssl_server") == 1,
            let parameters = X509_STORE_CTX_get0_param(context),
            X509_VERIFY_PARAM_set1_host(parameters, host, host.utf8.count) == 1
        else { return false }
        X509_VERIFY_PARAM_set_time_posix(parameters, time.secondsSince1970)
        return X509_verify_cert(context) == 1
    }

    private static func certificate(_ der: [UInt8]) -> OpaquePointer? {
        der.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return d2i_X509(nil, &position, bytes.count)
        }
    }
}
