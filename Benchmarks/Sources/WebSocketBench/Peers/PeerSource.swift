import BenchSupport

/// A peer in C or C++, which the benchmark compiles with the system's compiler.
struct PeerSource {
    /// A header of a library, and Debian's package with this header.
    struct Header {
        var path: String
        var package: String
    }

    /// The name of the program and of its folder.
    let name: String
    private let file: String
    private let compiler: String
    private let compilerPackage: String
    private let headers: [Header]
    private let standard: String
    private let libraries: [String]

    static let beast = PeerSource(
        name: "beast", file: "main.cpp", compiler: "c++", compilerPackage: "g++",
        headers: [
            Header(path: "boost/beast/version.hpp", package: "libboost-dev"),
            Header(path: "openssl/ssl.h", package: "libssl-dev"),
        ],
        standard: "c++17", libraries: ["-lssl", "-lcrypto", "-pthread"])

    static let libwebsockets = PeerSource(
        name: "libwebsockets", file: "main.c", compiler: "cc", compilerPackage: "gcc",
        headers: [Header(path: "libwebsockets.h", package: "libwebsockets-dev")],
        standard: "gnu11", libraries: ["-lwebsockets"])

    /// Returns the first package that is missing; `nil` if all are installed.
    func missingPackage() -> String? {
        guard let compiler = ChildProcess.path(of: compiler) else { return compilerPackage }
        let language = file.hasSuffix(".c") ? "c" : "c++"
        return headers.first { header in
            let arguments = ["-E", "-include", header.path, "-x", language, "/dev/null", "-o", "/dev/null"]
            return (try? ChildProcess.output(of: compiler, arguments, isQuiet: true)) == nil
        }?.package
    }

    /// Compiles the file in the subfolder of `folder`. The compiler prints its errors.
    func compile(in folder: String, options: [String], to program: String) throws {
        _ = try ChildProcess.output(
            of: ChildProcess.path(of: compiler) ?? compiler,
            ["-std=\(standard)"] + options + ["\(folder)/\(name)/\(file)", "-o", program] + libraries)
    }
}
