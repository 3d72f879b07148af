import HoldfastTrust

extension TLSIdentity {
    /// Reads a certificate chain in PEM or one certificate in DER, the server's own first, and its key in PEM, not
    /// encrypted. Blocks the calling thread.
    ///
    /// - Throws: ``ChatDevServerError/Code/unusableIdentity`` with the path of the file that cannot be used. Reasons hold
    ///   nothing of the key. Names and validity are not looked at: that is the clients' business.
    public init(certificateFile: String, privateKeyFile: String) throws(ChatDevServerError) {
        let chain: [[UInt8]]
        let key: [UInt8]
        do throws(CertificateError) {
            chain = try CertificateLoading.certificates(atPath: certificateFile).map(\.der)
        } catch {
            throw ChatDevServerError(
                .unusableIdentity, reason: error.reason, path: certificateFile, underlying: error)
        }
        do throws(CertificateError) {
            key = try RegularFile.read(privateKeyFile, limit: CertificateLoading.sizeLimit)
        } catch {
            throw ChatDevServerError(.unusableIdentity, reason: error.reason, path: privateKeyFile, underlying: error)
        }
        guard let text = String(validating: key, as: UTF8.self) else {
            throw ChatDevServerError(
                .unusableIdentity, reason: "The key must be PEM, not encrypted.", path: privateKeyFile)
        }
        self.init(chain: chain, privateKeyPEM: text)
        do throws(ChatDevServerError) {
            _ = try makeContext()
        } catch {
            throw ChatDevServerError(
                .unusableIdentity,
                reason:
                    "The certificate or the key cannot be used, or they do not belong together: the key must be PEM, "
                    + "not encrypted.", path: privateKeyFile, underlying: error.underlying)
        }
    }
}
