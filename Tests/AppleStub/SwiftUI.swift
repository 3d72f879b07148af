// The signatures of Apple's SwiftUI that Holdfast uses: `scripts/check-apple.sh` compiles this into a module named
// SwiftUI. The signatures, their isolation and their availability follow Apple's interface of iOS 26 and macOS 26.
// SwiftUIViews.swift and SwiftUIModifiers.swift belong to the same module. Nothing here is ever run.

@_exported public import CoreGraphics  // reason: SwiftUI brings it along
public import Foundation
public import UIKit

// MARK: Views

@available(iOS 13.0, macOS 10.15, *)
@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError() }
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError() }
}

@available(iOS 13.0, macOS 10.15, *)
@MainActor @preconcurrency public struct EmptyView: View {
    public nonisolated init() {}
    public var body: Never { fatalError() }
}

@available(iOS 13.0, macOS 10.15, *)
@MainActor @preconcurrency public struct TupleView<T>: View {
    public var body: Never { fatalError() }
}

public struct _ConditionalContent<TrueContent, FalseContent> {}

extension _ConditionalContent: View where TrueContent: View, FalseContent: View {
    public var body: Never { fatalError() }
}

@available(iOS 13.0, macOS 10.15, *)
@resultBuilder public struct ViewBuilder {
    public static func buildExpression<Content>(_ content: Content) -> Content where Content: View { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content>(_ content: Content) -> Content where Content: View { content }
    public static func buildBlock<each Content>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> where repeat each Content: View { fatalError() }
    public static func buildIf<Content>(_ content: Content?) -> Content? where Content: View { content }
    public static func buildEither<TrueContent, FalseContent>(
        first: TrueContent
    ) -> _ConditionalContent<TrueContent, FalseContent> where TrueContent: View, FalseContent: View {
        _ConditionalContent()
    }
    public static func buildEither<TrueContent, FalseContent>(
        second: FalseContent
    ) -> _ConditionalContent<TrueContent, FalseContent> where TrueContent: View, FalseContent: View {
        _ConditionalContent()
    }
}

@available(iOS 13.0, *)
@MainActor @preconcurrency open class UIHostingController<Content>: UIViewController where Content: View {
    public init(rootView: Content) { super.init(nibName: nil, bundle: nil) }
    @MainActor @preconcurrency public required dynamic init?(coder aDecoder: NSCoder) { nil }
}

// MARK: Data

@available(iOS 13.0, macOS 10.15, *)
public protocol DynamicProperty {}

@available(iOS 13.0, macOS 10.15, *)
@propertyWrapper public struct State<Value>: DynamicProperty {
    public init(wrappedValue value: Value) { fatalError() }
    public init(initialValue value: Value) { fatalError() }
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { fatalError() }
}

extension State where Value: ExpressibleByNilLiteral {
    public init() { fatalError() }
}

@available(iOS 13.0, macOS 10.15, *)
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    @preconcurrency public init(
        get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { self }
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        fatalError()
    }
}

extension Binding: Sendable where Value: Sendable {}

@available(iOS 13.0, macOS 10.15, *)
@propertyWrapper public struct Environment<Value>: DynamicProperty {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { fatalError() }
}

@available(iOS 13.0, macOS 10.15, *)
public struct EnvironmentValues {
    public var colorScheme: ColorScheme {
        get { .light }
        set {}
    }
    public var colorSchemeContrast: ColorSchemeContrast { .standard }
    public var accessibilityReduceMotion: Bool { false }
    public var layoutDirection: LayoutDirection {
        get { .leftToRight }
        set {}
    }
    public var isEnabled: Bool {
        get { true }
        set {}
    }
    public var openURL: OpenURLAction {
        get { fatalError() }
        set {}
    }
}

@available(iOS 13.0, macOS 10.15, *)
public enum ColorScheme: CaseIterable, Sendable { case light, dark }

@available(iOS 13.0, macOS 10.15, *)
public enum ColorSchemeContrast: CaseIterable, Sendable { case standard, increased }

@available(iOS 13.0, macOS 10.15, *)
public enum LayoutDirection: Hashable, CaseIterable, Sendable { case leftToRight, rightToLeft }

@available(iOS 14.0, macOS 11.0, *)
@MainActor @preconcurrency public struct OpenURLAction {
    public struct Result {
        public static var handled: Result { Result() }
        public static var discarded: Result { Result() }
        public static var systemAction: Result { Result() }
    }

    @MainActor @preconcurrency public init(handler: @escaping (URL) -> Result) {}
    public func callAsFunction(_ url: URL) {}
}

@available(iOS 14.0, macOS 11.0, *)
@propertyWrapper public struct ScaledMetric<Value>: DynamicProperty where Value: BinaryFloatingPoint {
    public init(wrappedValue: Value, relativeTo textStyle: Font.TextStyle) { self.wrappedValue = wrappedValue }
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public let wrappedValue: Value
}

@available(iOS 15.0, macOS 12.0, *)
@propertyWrapper public struct FocusState<Value>: DynamicProperty where Value: Hashable {
    public struct Binding {
        public var wrappedValue: Value {
            get { fatalError() }
            nonmutating set {}
        }
        public var projectedValue: Binding { self }
    }

    public init() where Value == Bool {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: FocusState<Value>.Binding { fatalError() }
}

@available(iOS 16.0, macOS 13.0, *)
public protocol Transferable {}
extension Data: Transferable {}

// MARK: Values

@available(iOS 13.0, macOS 10.15, *)
public struct Animation: Equatable, Sendable {
    public static let `default` = Animation()
}

@available(iOS 13.0, macOS 10.15, *)
public func withAnimation<Result>(
    _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result { try body() }

@available(iOS 13.0, macOS 10.15, *)
public struct Alignment: Equatable, Sendable {
    public static let center = Alignment()
    public static let leading = Alignment()
    public static let bottomTrailing = Alignment()
}

@available(iOS 13.0, macOS 10.15, *)
public struct HorizontalAlignment: Equatable, Sendable {
    public static let leading = HorizontalAlignment()
    public static let center = HorizontalAlignment()
    public static let trailing = HorizontalAlignment()
}

@available(iOS 13.0, macOS 10.15, *)
public struct VerticalAlignment: Equatable, Sendable {
    public static let top = VerticalAlignment()
    public static let center = VerticalAlignment()
    public static let bottom = VerticalAlignment()
}

@available(iOS 13.0, macOS 10.15, *)
public struct UnitPoint: Hashable, Sendable {
    public static let center = UnitPoint()
    public static let bottom = UnitPoint()
}

@available(iOS 13.0, macOS 10.15, *)
public struct Axis: Sendable {
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let horizontal = Set(rawValue: 1)
        public static let vertical = Set(rawValue: 2)
    }

    public static var horizontal: Axis { Axis() }
    public static var vertical: Axis { Axis() }
}

@available(iOS 13.0, macOS 10.15, *)
public enum Edge: Int8, CaseIterable, Sendable {
    case top, leading, bottom, trailing

    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let all = Set(rawValue: 15)
        public static let horizontal = Set(rawValue: 10)
        public static let vertical = Set(rawValue: 5)
    }
}

@available(iOS 13.0, macOS 10.15, *)
public enum TextAlignment: Hashable, CaseIterable, Sendable { case leading, center, trailing }

@available(iOS 13.0, macOS 10.15, *)
public struct AccessibilityTraits: SetAlgebra, Sendable {
    public static let isHeader = AccessibilityTraits()
    public static let isLink = AccessibilityTraits()
    public static let isSelected = AccessibilityTraits()

    public init() {}
    public func contains(_ member: AccessibilityTraits) -> Bool { false }
    public func union(_ other: AccessibilityTraits) -> AccessibilityTraits { self }
    public func intersection(_ other: AccessibilityTraits) -> AccessibilityTraits { self }
    public func symmetricDifference(_ other: AccessibilityTraits) -> AccessibilityTraits { self }
    public mutating func insert(
        _ newMember: AccessibilityTraits
    ) -> (inserted: Bool, memberAfterInsert: AccessibilityTraits) { (false, self) }
    public mutating func remove(_ member: AccessibilityTraits) -> AccessibilityTraits? { nil }
    public mutating func update(with newMember: AccessibilityTraits) -> AccessibilityTraits? { nil }
    public mutating func formUnion(_ other: AccessibilityTraits) {}
    public mutating func formIntersection(_ other: AccessibilityTraits) {}
    public mutating func formSymmetricDifference(_ other: AccessibilityTraits) {}
}

@available(iOS 13.0, macOS 10.15, *)
public struct AccessibilityChildBehavior: Hashable, Sendable {
    public static let ignore = AccessibilityChildBehavior()
    public static let contain = AccessibilityChildBehavior()
    public static let combine = AccessibilityChildBehavior()
}

@available(iOS 14.0, macOS 11.0, *)
public struct KeyEquivalent: Hashable, Sendable {
    public static let `return` = KeyEquivalent()
}

@available(iOS 13.0, macOS 10.15, *)
public struct EventModifiers: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let command = EventModifiers(rawValue: 16)
}

@available(iOS 15.0, macOS 12.0, *)
public struct ButtonRole: Equatable, Sendable {
    public static let destructive = ButtonRole()
    public static let cancel = ButtonRole()
}

@available(iOS 15.0, macOS 12.0, *)
public struct SubmitLabel: Sendable {
    public static var search: SubmitLabel { SubmitLabel() }
}

@available(iOS 16.0, macOS 13.0, *)
public struct ScrollDismissesKeyboardMode: Sendable {
    public static var interactively: ScrollDismissesKeyboardMode { ScrollDismissesKeyboardMode() }
}

@available(iOS 16.0, macOS 13.0, *)
public struct ScrollIndicatorVisibility {
    public static var hidden: ScrollIndicatorVisibility { ScrollIndicatorVisibility() }
}
