/// A color in sRGB with 8 bits for each component.
public struct ChatColor: Hashable, Sendable, CustomStringConvertible {
    /// The red component.
    public var red: UInt8
    /// The green component.
    public var green: UInt8
    /// The blue component.
    public var blue: UInt8
    /// The opacity: 255 is opaque.
    public var alpha: UInt8

    /// White.
    public static let white = ChatColor(0xFFFFFF)
    /// Black.
    public static let black = ChatColor(0x000000)

    /// Creates a color from its components.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Creates an opaque color from its CSS notation, such as `0x336699`. Higher bits are ignored.
    public init(_ rgb: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: rgb >> 16), green: UInt8(truncatingIfNeeded: rgb >> 8),
            blue: UInt8(truncatingIfNeeded: rgb))
    }

    /// The color in CSS notation: `#336699ff`.
    public var description: String {
        "#" + [red, green, blue, alpha].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension ChatColor {
    /// Returns a color between this one and another one.
    ///
    /// - Parameters:
    ///   - other: The color to approach.
    ///   - fraction: The share of the other color, from 0 to 1. Other values are clamped.
    public func mixed(with other: ChatColor, by fraction: Double) -> ChatColor {
        let share = min(max(fraction.isNaN ? 0 : fraction, 0), 1)
        func component(_ from: UInt8, _ to: UInt8) -> UInt8 {
            UInt8((Double(from) + (Double(to) - Double(from)) * share).rounded())
        }
        return ChatColor(
            red: component(red, other.red), green: component(green, other.green), blue: component(blue, other.blue),
            alpha: component(alpha, other.alpha))
    }

    /// Returns the opaque color that appears when this color is drawn on another one.
    public func composited(over background: ChatColor) -> ChatColor {
        guard alpha < 255 else { return self }
        var opaque = self
        opaque.alpha = 255
        var behind = background
        behind.alpha = 255
        return behind.mixed(with: opaque, by: Double(alpha) / 255)
    }
}
