public import Foundation

/// The policy that this package ships.
public enum ShippedPolicy {
    /// The policy file, or `nil` if the bundle is damaged. `PinningPolicy` reads it.
    public static var url: URL? {
        Bundle.module.url(forResource: "shop.holdfast", withExtension: "json", subdirectory: "Policies")
    }
}
