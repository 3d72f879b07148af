import HoldfastTrust

/// The output of `holdfast pin one.pem two.pem --swift --host api.example.com` for the keys of ``PinFormTests``.
func pastedPolicy() throws -> PinningPolicy {
    // Pasted from here on.
    let policy = try PinningPolicy(
        name: "api.example.com",
        rules: [
            PinningRule(
                HostPattern("api.example.com"),
                keys: [
                    SPKIDigest("sha256/GC/52nAf0UTi/SzUHajdupeesBsr9/zDN29LGy7O5Oc="),  // public key
                    SPKIDigest("sha256/nmcbHM3thWbHaR5WZM/niFYs6UbCFhRfA+C4Od+TAfI="),  // public key
                ])
        ])
    // Pasted up to here.
    return policy
}
