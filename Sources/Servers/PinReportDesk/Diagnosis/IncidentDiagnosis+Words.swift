extension IncidentDiagnosis.Kind {
    /// The diagnosis in a few words.
    package var title: String {
        switch self {
        case .wrongClock: "The clock of the devices is wrong"
        case .expiredCertificate: "A certificate of the server has expired"
        case .captivePortal: "A captive portal or another server answered"
        case .interception: "A third party intercepts the connections"
        case .rotationToKnownBackup: "The server changed to a known backup key"
        case .rotationToUnknownKey: "The server changed to an unknown key"
        case .policyEndsSoon: "The pins end soon"
        case .unknown: "The cause is unknown"
        }
    }

    /// What to do next, one sentence each.
    package var advice: [String] {
        switch self {
        case .wrongClock:
            [
                "The refusal is intended. A new policy does not help.",
                "Ask users to set the date and time of the device automatically.",
            ]
        case .expiredCertificate:
            [
                "Renew the certificate at the server, with the same key if possible.",
                "Then no new policy is needed.",
            ]
        case .captivePortal:
            [
                "The refusal is intended. Do not pin the shown key.",
                "If the reports come from many networks, check the address and the default certificate of the server.",
            ]
        case .interception:
            [
                "The refusal is intended. Do not pin the shown key.",
                "Exempt the app in the interceptor, or give managed devices a policy with a local anchor.",
            ]
        case .rotationToKnownBackup:
            [
                "Publish the policy that lists the key to the apps that do not have it.",
                "Or switch the server back to a key that all apps know.",
            ]
        case .rotationToUnknownKey:
            [
                "Compare the key with that of the server's operator, over another channel.",
                "If the key is right, publish a bundle that adds it. The draft on this page does that.",
                "If it is not, keep the policy: the apps refuse an attacker.",
            ]
        case .policyEndsSoon: ["Publish a bundle with a later end before that time."]
        case .unknown:
            [
                "Read the chain and the reports on this page.",
                "Run the probe from several networks.",
            ]
        }
    }

    /// Whether a new policy can end the failures.
    package var isFixedByPolicy: Bool {
        switch self {
        case .rotationToKnownBackup, .rotationToUnknownKey, .policyEndsSoon: true
        case .wrongClock, .expiredCertificate, .captivePortal, .interception, .unknown: false
        }
    }
}
