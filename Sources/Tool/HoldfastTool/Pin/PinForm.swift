import ArgumentParser

/// The forms, beside the report, in which `holdfast pin` prints pins, ready to be pasted.
enum PinForm: String, EnumerableFlag {
    /// Swift code that makes a policy.
    case swift
    /// A policy in Holdfast's format.
    case policy
    /// Kotlin code for OkHttp's `CertificatePinner`.
    case okhttp
    /// TrustKit's configuration, a property list.
    case trustkit
    /// Android's network security configuration.
    case android

    static func help(for value: PinForm) -> ArgumentHelp? {
        switch value {
        case .swift: "Print Swift code that makes a policy of the pins."
        case .policy: "Print a policy file with the pins."
        case .okhttp: "Print Kotlin code for OkHttp."
        case .trustkit: "Print TrustKit's part of an Info.plist."
        case .android: "Print Android's network security configuration."
        }
    }
}
