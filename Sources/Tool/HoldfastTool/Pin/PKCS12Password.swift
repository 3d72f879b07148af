import HoldfastBase

/// The password of PKCS #12 files. It never comes from the command line, which other users of the machine can see.
struct PKCS12Password: Hashable {
    /// Where the password comes from.
    enum Origin: Hashable {
        case file(String)
        case environment
        /// There is none: an empty password is tried.
        case none
    }

    /// The maximum size of a password file in bytes.
    ///
    /// - Error: exit code 2
    static let sizeLimit = 4096

    /// The password.
    let text: String
    /// Its origin.
    let origin: Origin

    /// Reads the password from the file, or from the environment if there is no file.
    ///
    /// - Parameters:
    ///   - file: The path of `--password-file`. The password is its first line.
    ///   - variable: The value of the environment variable.
    init(file: String?, variable: String?, on console: Console) throws(ToolError) {
        if let file {
            let bytes = try InputFile(path: file).readAll(limit: Self.sizeLimit)
            FileMode.warn(ifOpenToOthers: file, on: console)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw ToolError("'\(Printable.text(file))' does not contain a password: it is not valid UTF-8")
            }
            self.text = String(text.prefix { !$0.isNewline })
            origin = .file(file)
        } else if let variable {
            text = variable
            origin = .environment
        } else {
            text = ""
            origin = .none
        }
        // The password ends at a NUL character for BoringSSL.
        guard !text.utf8.contains(0) else { throw ToolError("the password contains a NUL character") }
    }

    /// The value of `-passin` of openssl, for a command that asks for no password and does not contain it.
    var opensslSource: String {
        switch origin {
        case .file(let path): ShellWord("file:" + path).description
        case .environment: "env:" + ToolEnvironment.pkcs12Password
        case .none: "pass:"
        }
    }

    /// Describes a failure to read a file with this password in one sentence.
    func error(_ failure: PKCS12File.Failure, for source: OpenSSLRecipe.Origin) -> ToolError {
        let name = Printable.text(source.description)
        switch (failure, origin) {
        case (.wrongPassword, .none):
            return ToolError(
                "'\(name)' is encrypted: give its password with --password-file FILE or in the environment variable "
                    + ToolEnvironment.pkcs12Password)
        case (.wrongPassword, .file(let path)):
            return ToolError("the password in '\(Printable.text(path))' does not decrypt '\(name)'")
        case (.wrongPassword, .environment):
            return ToolError("the password in \(ToolEnvironment.pkcs12Password) does not decrypt '\(name)'")
        case (.unreadable, _):
            return ToolError(
                "'\(name)' cannot be read as PKCS #12: it is damaged, or uses an algorithm that is not supported. "
                    + "openssl may convert it: openssl pkcs12 -in FILE -nokeys -out certificates.pem")
        case (.noCertificate, _):
            return ToolError("'\(name)' contains no certificate")
        }
    }
}
