interface Props {
  label: string;
}

export const Button = ({ label }: Props) => <button>{label}</button>;

export function List() {
  return <ul />;
}

class Panel {
  render() {
    return <div />;
  }
}
