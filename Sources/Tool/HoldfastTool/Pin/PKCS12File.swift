import CNIOBoringSSL
import HoldfastTrust

/// The certificates of a PKCS #12 file (RFC 7292), which keychains and browsers export with the extension `.p12` or
/// `.pfx`. The private key in it is not kept.
///
/// NIOSSL's `NIOSSLPKCS12Bundle` ends the process for a file without a private key, or without the certificate of its
/// key. Therefore this type calls the function of BoringSSL below it.
struct PKCS12File {
    /// The certificates, in the order of the file: at least one.
    let certificates: [CertificateView]

    /// Why a file cannot be read.
    enum Failure: Error, Hashable {
        /// The password is wrong, or missing.
        case wrongPassword
        /// The file is damaged, or uses an algorithm that is not supported.
        case unreadable
        /// The file contains only a private key.
        case noCertificate
    }

    /// Returns whether the bytes have the outer form of such a file: a sequence that begins with the version 3. The
    /// length may be indefinite.
    static func isPKCS12(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 2, bytes[0] == 0x30 else { return false }
        let lengthBytes = bytes[1] > 0x80 ? Int(bytes[1] & 0x7F) : 0
        return bytes.dropFirst(2 + lengthBytes).prefix(4).elementsEqual([0x02, 0x01, 0x03, 0x30])
    }

    /// Decrypts a file.
    ///
    /// The integrity of the file is verified with the password. Old algorithms (RC2, triple DES) are accepted, because
    /// the certificates are public.
    init(_ bytes: [UInt8], password: PKCS12Password) throws(Failure) {
        guard let stack = OPENSSL_sk_new_null() else { throw .unreadable }
        defer {
            for index in 0..<OPENSSL_sk_num(stack) {
                X509_free(OPENSSL_sk_value(stack, index).map { OpaquePointer($0) })
            }
            OPENSSL_sk_free(stack)
        }
        var key: OpaquePointer?
        defer { EVP_PKEY_free(key) }
        ERR_clear_error()
        let isRead = bytes.withUnsafeBufferPointer { buffer in
            var input = CBS(data: buffer.baseAddress, len: buffer.count)
            return password.text.withCString { PKCS12_get_key_and_certs(&key, stack, &input, $0) } == 1
        }
        guard isRead else {
            let error = ERR_peek_last_error()
            ERR_clear_error()
            let isWrong =
                Int(ERR_GET_LIB(error)) == Int(ERR_LIB_PKCS8) && ERR_GET_REASON(error) == PKCS8_R_INCORRECT_PASSWORD
            throw isWrong ? Failure.wrongPassword : Failure.unreadable
        }
        var certificates: [CertificateView] = []
        for index in 0..<OPENSSL_sk_num(stack) {
            guard let certificate = OPENSSL_sk_value(stack, index).map({ OpaquePointer($0) }),
                let view = try? CertificateView(der: Self.der(certificate))
            else { throw .unreadable }
            certificates.append(view)
        }
        guard !certificates.isEmpty else { throw .noCertificate }
        self.certificates = certificates
    }

    private static func der(_ certificate: OpaquePointer) -> [UInt8] {
        let count = i2d_X509(certificate, nil)
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, written in
            var end = buffer.baseAddress
            written = Int(max(0, i2d_X509(certificate, &end)))
        }
    }
}
