@Component({ selector: "app" })
export class Widget extends Base<Props> implements OnInit, OnDestroy {
  @Input() name: string;
  @Input()
  label?: string;
  static #count = 0;
  declare readonly kind: "widget";
  protected abstract veryLongPropertyName:
    Map<string, Array<SomethingVeryLong>> | undefined;

  constructor(
    private readonly http: HttpClient,
    @Inject(TOKEN) public token?: string,
  ) {
    super();
  }
  get size(): number {
    return 0;
  }
  static async *items<T>(this: Widget, first: T) {
    yield first;
  }
  static {
    Widget.#count = 1;
  }
  [key: string]: unknown;
}
abstract class Shape<
  TFirstParameter extends string,
  TSecondParameter extends number,
> extends Base {
  abstract area(): number;
  accessor side = 1;
}
const Anonymous =
  @sealed
  class {};
